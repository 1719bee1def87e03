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
        string join \n -- $found
    end
end
complete -c companion -f -a '(__companion_complete)'
