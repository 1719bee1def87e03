# companion: completion for fish. Made by: companion completions fish
function __companion_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -e words[1]
    companion --complete fish $words "$current" 2>/dev/null
end
complete -c companion -f -a '(__companion_complete)'
complete -c companion -n '__fish_seen_subcommand_from bundle printed' -F
