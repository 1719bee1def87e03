"""The completion scripts. Each asks ``companion --complete`` at a TAB, so that they never grow old."""

from __future__ import annotations

_BASH = """\
# companion: completion for bash. Made by: companion completions bash
_companion() {
    local word program=${COMP_WORDS[0]:-companion}
    COMPREPLY=()
    while IFS= read -r word; do
        COMPREPLY+=("$word")
    done < <("${program/#\\~\\//$HOME/}" --complete bash "${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
    if [[ ${COMPREPLY[0]} == :files: ]]; then
        COMPREPLY=()
        compopt -o default 2>/dev/null
    elif [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[=:] ]]; then
        compopt -o nospace 2>/dev/null
    fi
}
complete -F _companion companion
"""

_ZSH = """\
#compdef companion
# companion: completion for zsh. Made by: companion completions zsh
_companion() {
    local line
    local -a ends goes_on
    local program=${~${(Q)words[1]}}
    for line in "${(@f)$($program --complete zsh "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}"; do
        [[ -n $line ]] || continue
        if [[ $line == :files: ]]; then
            _files
            return
        fi
        local word=${line%%$'\\t'*} help=""
        [[ $line == *$'\\t'* ]] && help=${line#*$'\\t'}
        if [[ $word == *[=:] ]]; then
            goes_on+=("${word//:/\\\\:}:$help")
        else
            ends+=("${word//:/\\\\:}:$help")
        fi
    done
    (( ${#ends} )) && _describe -t values companion ends
    (( ${#goes_on} )) && _describe -t keys companion goes_on -S ''
}
if [[ ${funcstack[1]} == _companion ]]; then
    _companion "$@"
else
    compdef _companion companion
fi
"""

_FISH = """\
# companion: completion for fish. Made by: companion completions fish
function __companion_complete
    set -l words (commandline -opc)
    set -l current (string replace -r '^["\\']' '' -- (commandline -ct) | string unescape)
    set -l program (string replace -r '^~/' "$HOME/" -- $words[1])
    set -e words[1]
    set -l found ($program --complete fish $words "$current" 2>/dev/null)
    if test "$found" = :files:
        __fish_complete_path "$current"
    else
        string join \\n -- $found
    end
end
complete -c companion -f -a '(__companion_complete)'
"""

_SCRIPTS = {"bash": _BASH, "zsh": _ZSH, "fish": _FISH}


def script(shell: str) -> str:
    """The completion script of bash, zsh or fish."""
    return _SCRIPTS[shell]
