/* Stands between a program and the C library, and lets the Nth call on a file below one folder fail.
 *
 * It is loaded with LD_PRELOAD and told from Python what to do (see preload.py). Until then it only passes calls on and
 * remembers which descriptor belongs to which path. Calls on files anywhere else are never touched.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#define MOST 4096
#define REAL(type, name, ...)                                      \
    static type (*real)(__VA_ARGS__);                              \
    if (!real) real = (type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

/* kinds of calls: a point counts only those of a set */
enum { OPEN = 1, WRITE = 2, SYNC = 4, TRUNCATE = 8, UNLINK = 16, MKDIR = 32, RENAME = 64, READ = 128, MMAP = 256 };
/* what happens at the Nth */
enum { NOTHING, FAIL, FAIL_ON, KILL, TEAR_KILL, TEAR_FAIL };
enum { GO, REFUSE, TEAR };

static char root[PATH_MAX];
static size_t root_length;
static char *paths[MOST]; /* descriptor -> path, of files below the root */

static int mode, error_number, kinds, journal = -1;
static long at, counted;
static char fired[PATH_MAX + 32];

/* -- what Python calls ------------------------------------------------------------------------------------------------ */

void faults_root(const char *path) {
    snprintf(root, sizeof root, "%s", path);
    root_length = strlen(root);
}

void faults_arm(int which, long number, int error, int set) {
    mode = which;
    at = number;
    error_number = error;
    kinds = set;
    counted = 0;
    fired[0] = 0;
}

long faults_counted(void) { return counted; }
const char *faults_fired(void) { return fired; }
void faults_record(int descriptor) { journal = descriptor; }

/* -- which files count ------------------------------------------------------------------------------------------------ */

static const char *below(const char *path, char *whole) {
    if (!root_length || !path) return NULL;
    if (path[0] != '/') {
        if (!getcwd(whole, PATH_MAX)) return NULL;
        size_t length = strlen(whole);
        snprintf(whole + length, PATH_MAX - length, "/%s", path);
        path = whole;
    }
    return !strncmp(path, root, root_length) && (path[root_length] == '/' || !path[root_length]) ? path : NULL;
}

static const char *of(int descriptor) { return descriptor >= 0 && descriptor < MOST ? paths[descriptor] : NULL; }

static void forget(int descriptor) {
    if (of(descriptor)) {
        free(paths[descriptor]);
        paths[descriptor] = NULL;
    }
}

static void remember(int descriptor, const char *path) {
    forget(descriptor);
    if (descriptor >= 0 && descriptor < MOST) paths[descriptor] = strdup(path);
}

/* -- the Nth call ----------------------------------------------------------------------------------------------------- */

static void die(void) {
    kill(getpid(), SIGKILL);
    for (;;) pause();
}

static int fate(int kind, const char *name, const char *path) {
    if (!mode || !path || !(kinds & kind)) return GO;
    counted++;
    if (counted < at || (counted > at && mode != FAIL_ON)) return GO;
    if (!fired[0]) snprintf(fired, sizeof fired, "%s %s", name, path + root_length);
    if (mode == KILL) die();
    if ((mode == TEAR_KILL || mode == TEAR_FAIL) && kind == WRITE) return TEAR;
    errno = error_number;
    return REFUSE;
}

/* -- the record: one line an operation, behind a write its bytes ------------------------------------------------------- */

static ssize_t plainly(int descriptor, const void *bytes, size_t count) {
    REAL(ssize_t, "write", int, const void *, size_t);
    return real(descriptor, bytes, count);
}

static void note(char what, long number, long more, const char *path, const char *second) {
    if (journal < 0) return;
    int before = errno;
    char line[2 * PATH_MAX + 64];
    int length = snprintf(line, sizeof line, "%c\t%ld\t%ld\t%s\t%s\n", what, number, more, path + root_length,
                          second ? second + root_length : "");
    plainly(journal, line, length);
    errno = before;
}

static void note_write(const char *path, off_t where, const void *bytes, ssize_t count) {
    if (journal < 0 || count <= 0) return;
    note('W', where, count, path, NULL);
    plainly(journal, bytes, count);
}

/* a word of the test's own: an acknowledgement */
void faults_mark(const char *word) {
    char line[256];
    if (journal >= 0) plainly(journal, line, snprintf(line, sizeof line, "A\t0\t0\t%s\t\n", word));
}

/* -- opening and closing ---------------------------------------------------------------------------------------------- */

static int opened(int descriptor, const char *path, int flags, int there) {
    if (descriptor < 0) return descriptor;
    remember(descriptor, path);
    if ((flags & O_CREAT) && !there) note('C', 0, 0, path, NULL);
    else if (flags & O_TRUNC) note('T', 0, 0, path, NULL);
    return descriptor;
}

#define OPENING(name, first_types, first_names, looked)                             \
    int name first_types {                                                          \
        mode_t rights = 0;                                                          \
        if (flags & (O_CREAT | __O_TMPFILE)) {                                      \
            va_list rest;                                                           \
            va_start(rest, flags);                                                  \
            rights = va_arg(rest, mode_t);                                          \
            va_end(rest);                                                           \
        }                                                                           \
        char whole[PATH_MAX];                                                       \
        const char *counts = (looked) ? below(path, whole) : NULL;                  \
        if (!counts) {                                                              \
            int plain = real_##name first_names;                                    \
            forget(plain);                                                          \
            return plain;                                                           \
        }                                                                           \
        if (fate(OPEN, "open", counts) == REFUSE) return -1;                        \
        int there = !access(path, F_OK);                                            \
        return opened(real_##name first_names, counts, flags, there);               \
    }

static int real_open(const char *path, int flags, mode_t rights) {
    REAL(int, "open64", const char *, int, ...);
    return real(path, flags, rights);
}
#define real_open64 real_open
static int real_openat(int folder, const char *path, int flags, mode_t rights) {
    REAL(int, "openat64", int, const char *, int, ...);
    return real(folder, path, flags, rights);
}
#define real_openat64 real_openat

OPENING(open, (const char *path, int flags, ...), (path, flags, rights), 1)
OPENING(open64, (const char *path, int flags, ...), (path, flags, rights), 1)
OPENING(openat, (int folder, const char *path, int flags, ...), (folder, path, flags, rights), folder == AT_FDCWD || path[0] == '/')
OPENING(openat64, (int folder, const char *path, int flags, ...), (folder, path, flags, rights), folder == AT_FDCWD || path[0] == '/')

int close(int descriptor) {
    REAL(int, "close", int);
    forget(descriptor);
    return real(descriptor);
}

/* -- reading and writing ---------------------------------------------------------------------------------------------- */

ssize_t read(int descriptor, void *bytes, size_t count) {
    REAL(ssize_t, "read", int, void *, size_t);
    return fate(READ, "read", of(descriptor)) == REFUSE ? -1 : real(descriptor, bytes, count);
}

ssize_t pread64(int descriptor, void *bytes, size_t count, off64_t where) {
    REAL(ssize_t, "pread64", int, void *, size_t, off64_t);
    return fate(READ, "read", of(descriptor)) == REFUSE ? -1 : real(descriptor, bytes, count, where);
}

ssize_t pread(int descriptor, void *bytes, size_t count, off_t where) { return pread64(descriptor, bytes, count, where); }

static off_t place(int descriptor) {
    struct stat found;
    if (fcntl(descriptor, F_GETFL) & O_APPEND) return fstat(descriptor, &found) ? 0 : found.st_size;
    return lseek(descriptor, 0, SEEK_CUR);
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
    const char *path = of(descriptor);
    if (!path) return plainly(descriptor, bytes, count);
    int what = fate(WRITE, "write", path);
    if (what == REFUSE) return -1;
    if (what == TEAR) {
        plainly(descriptor, bytes, count / 2);
        if (mode == TEAR_KILL) die();
        errno = error_number;
        return -1;
    }
    off_t where = journal < 0 ? 0 : place(descriptor);
    ssize_t done = plainly(descriptor, bytes, count);
    note_write(path, where, bytes, done);
    return done;
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t where) {
    REAL(ssize_t, "pwrite64", int, const void *, size_t, off64_t);
    const char *path = of(descriptor);
    int what = fate(WRITE, "write", path);
    if (what == REFUSE) return -1;
    if (what == TEAR) {
        real(descriptor, bytes, count / 2, where);
        if (mode == TEAR_KILL) die();
        errno = error_number;
        return -1;
    }
    ssize_t done = real(descriptor, bytes, count, where);
    if (path) note_write(path, where, bytes, done);
    return done;
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t where) { return pwrite64(descriptor, bytes, count, where); }

int ftruncate64(int descriptor, off64_t length) {
    REAL(int, "ftruncate64", int, off64_t);
    const char *path = of(descriptor);
    if (fate(TRUNCATE, "ftruncate", path) == REFUSE) return -1;
    int done = real(descriptor, length);
    if (path && !done) note('T', length, 0, path, NULL);
    return done;
}

int ftruncate(int descriptor, off_t length) { return ftruncate64(descriptor, length); }

/* What a process has written is there for the next one without any sync, as long as the machine runs; so none is waited for. */
static int synced(int descriptor, const char *name, int (*real)(int)) {
    const char *path = of(descriptor);
    if (!path) return real(descriptor);
    if (fate(SYNC, name, path) == REFUSE) return -1;
    note('S', 0, 0, path, NULL);
    return 0;
}

int fsync(int descriptor) {
    REAL(int, "fsync", int);
    return synced(descriptor, "fsync", real);
}

int fdatasync(int descriptor) {
    REAL(int, "fdatasync", int);
    return synced(descriptor, "fdatasync", real);
}

void *mmap64(void *address, size_t length, int protection, int flags, int descriptor, off64_t where) {
    REAL(void *, "mmap64", void *, size_t, int, int, int, off64_t);
    if (fate(MMAP, "mmap", of(descriptor)) == REFUSE) return MAP_FAILED;
    return real(address, length, protection, flags, descriptor, where);
}

void *mmap(void *address, size_t length, int protection, int flags, int descriptor, off_t where) {
    return mmap64(address, length, protection, flags, descriptor, where);
}

/* -- names ------------------------------------------------------------------------------------------------------------ */

int unlink(const char *path) {
    REAL(int, "unlink", const char *);
    char whole[PATH_MAX];
    const char *counts = below(path, whole);
    if (fate(UNLINK, "unlink", counts) == REFUSE) return -1;
    int done = real(path);
    if (counts && !done) note('U', 0, 0, counts, NULL);
    return done;
}

int mkdir(const char *path, mode_t rights) {
    REAL(int, "mkdir", const char *, mode_t);
    char whole[PATH_MAX];
    const char *counts = below(path, whole);
    if (fate(MKDIR, "mkdir", counts) == REFUSE) return -1;
    int done = real(path, rights);
    if (counts && !done) note('M', 0, 0, counts, NULL);
    return done;
}

static int named(const char *from, const char *to, const char *name, char what, int (*real)(const char *, const char *)) {
    char whole[PATH_MAX], other[PATH_MAX];
    const char *first = below(from, whole), *second = below(to, other);
    if (fate(RENAME, name, second ? second : first) == REFUSE) return -1;
    int done = real(from, to);
    if (first && second && !done) note(what, 0, 0, first, second);
    return done;
}

int rename(const char *from, const char *to) {
    REAL(int, "rename", const char *, const char *);
    return named(from, to, "rename", 'R', real);
}

int link(const char *from, const char *to) {
    REAL(int, "link", const char *, const char *);
    return named(from, to, "link", 'L', real);
}
