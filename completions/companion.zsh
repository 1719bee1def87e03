#compdef companion
# companion: completion for zsh. Made by: companion completions zsh
_companion() {
    local line
    local -a ends goes_on
    for line in "${(@f)$(companion --complete zsh "${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
        [[ -n $line ]] || continue
        local word=${line%%$'\t'*} help=""
        [[ $line == *$'\t'* ]] && help=${line#*$'\t'}
        if [[ $word == *[=:] ]]; then
            goes_on+=("${word//:/\\:}:$help")
        else
            ends+=("${word//:/\\:}:$help")
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
