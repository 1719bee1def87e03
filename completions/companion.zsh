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
        local word=${line%%$'\t'*} help=""
        [[ $line == *$'\t'* ]] && help=${line#*$'\t'}
        if [[ $word == *[=:] ]]; then
            goes_on+=("${word//:/\\:}:$help")
        else
            ends+=("${word//:/\\:}:$help")
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
