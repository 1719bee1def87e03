"""The completion scripts of bash, zsh and fish. Each calls `companion --complete` at a TAB."""

from __future__ import annotations

import os
import shlex

from companion.core.errors import Unreadable

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
    local either='m:{[:lower:][:upper:]}={[:upper:][:lower:]}'
    local program=${~${(Q)words[1]}}
    for line in "${(@f)$($program --complete zsh "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}"; do
        [[ -n $line ]] || continue
        if [[ $line == :files: ]]; then
            compset -P '--*='
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
    (( ${#ends} )) && _describe -t values companion ends -M $either
    (( ${#goes_on} )) && _describe -t keys companion goes_on -M $either -S ''
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
    set -l current (commandline -ct | string unescape)
    set -l program (string replace -r '^~/' "$HOME/" -- $words[1])
    set -e words[1]
    set -l found ($program --complete fish $words "$current" 2>/dev/null)
    if test "$found" = :files:
        set -l option (string match -r -- '^--[^=]+=' "$current"; or echo "")
        for path in (__fish_complete_path (string replace -r -- '^--[^=]+=' '' "$current"))
            echo -- $option$path
        end
    else
        string join \\n -- $found
    end
end
complete -c companion -f -a '(__companion_complete)'
"""

_SCRIPTS = {"bash": _BASH, "zsh": _ZSH, "fish": _FISH}


def _script_path(shell: str) -> str:
    """Where the shell looks for completion scripts, or where its settings can source one."""
    data = os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")
    settings = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
    if shell == "fish":
        return os.path.join(settings, "fish", "completions", "companion.fish")
    if shell == "zsh":
        return os.path.join(data, "zsh", "site-functions", "_companion")
    return os.path.join(data, "bash-completion", "completions", "companion")


def install_script(shell: str) -> str:
    """Write or update the script of a shell; return its path. Raises Unreadable: it cannot be written."""
    from companion.cli.shell.files import make_folder, write_new

    path = _script_path(shell)
    try:
        make_folder(os.path.dirname(path))
        write_new(os.path.realpath(path), script(shell), over=True)
    except Unreadable as error:
        error.cure = f"Put it where your shell reads it: companion completions {shell} > FILE"
        raise
    return path


def next_step(shell: str, path: str) -> str:
    """What the player has to do after the script is installed."""
    if shell == "fish":
        return "It works in the next fish you start"
    if shell == "zsh":
        return f"Add to ~/.zshrc, after compinit: source {shlex.quote(path)}"
    return f"It works in the next bash with bash-completion; without that, add to ~/.bashrc: source {shlex.quote(path)}"


def script(shell: str) -> str:
    """The completion script of bash, zsh or fish."""
    return _SCRIPTS[shell]
