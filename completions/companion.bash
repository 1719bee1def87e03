# companion: completion for bash. Made by: companion completions bash
_companion() {
    local word program=${COMP_WORDS[0]:-companion}
    COMPREPLY=()
    while IFS= read -r word; do
        COMPREPLY+=("$word")
    done < <("${program/#\~\//$HOME/}" --complete bash "${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
    if [[ ${COMPREPLY[0]} == :files: ]]; then
        COMPREPLY=()
        compopt -o default 2>/dev/null
    elif [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[=:] ]]; then
        compopt -o nospace 2>/dev/null
    fi
}
complete -F _companion companion
