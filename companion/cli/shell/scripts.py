"""The completion scripts. Each asks ``companion --complete`` at a TAB, so that they never grow old."""

from __future__ import annotations

_BASH = """\
# companion: completion for bash. Made by: companion completions bash
_companion() {
    local word
    COMPREPLY=()
    while IFS= read -r word; do
        COMPREPLY+=("$word")
    done < <(companion --complete bash "${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
    if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[=:] ]]; then
        compopt -o nospace 2>/dev/null
    fi
}
complete -o default -F _companion companion
"""

_ZSH = """\
#compdef companion
# companion: completion for zsh. Made by: companion completions zsh
_companion() {
    local line
    local -a ends goes_on
    for line in "${(@f)$(companion --complete zsh "${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
        [[ -n $line ]] || continue
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
    (( ${#ends} + ${#goes_on} )) || _files
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
    set -l current (commandline -ct)
    set -e words[1]
    companion --complete fish $words "$current" 2>/dev/null
end
complete -c companion -f -a '(__companion_complete)'
complete -c companion -n '__fish_seen_subcommand_from bundle printed' -F
"""

_SCRIPTS = {"bash": _BASH, "zsh": _ZSH, "fish": _FISH}


def script(shell: str) -> str:
    """The completion script of bash, zsh or fish."""
    return _SCRIPTS[shell]
