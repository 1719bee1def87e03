# companion: completion for fish. Made by: companion completions fish
function __companion_complete
    set -l words (commandline -opc)
    set -l current (string replace -r '^["\']' '' -- (commandline -ct) | string unescape)
    set -l program (string replace -r '^~/' "$HOME/" -- $words[1])
    set -e words[1]
    set -l found ($program --complete fish $words "$current" 2>/dev/null)
    if test "$found" = :files:
        __fish_complete_path "$current"
    else
        string join \n -- $found
    end
end
complete -c companion -f -a '(__companion_complete)'
