// The shells' halves of completion: they hand the line to the program and show what it prints.

#include <fmt/format.h>

#include "app/install/completion.h"
#include "core/base/error.h"

namespace emergence {
namespace {

constexpr const char* kBash =
    R"sh(# Completion of emergence and emergence-cli for bash: the programs say what may come next.
_emergence() {
    local line=${COMP_LINE:0:COMP_POINT} answer word value
    local -a words=()
    read -a words <<< "$line"
    if [[ $line == *[[:space:]] || ${#words[@]} -eq 0 ]]; then words+=(""); fi
    local current=${words[-1]}
    COMPREPLY=()
    answer=$("${COMP_WORDS[0]/#\~/${HOME-}}" __complete "${words[@]:1}" 2>/dev/null) || return 0
    if [[ $answer == *$'\n'* ]]; then
        while IFS=$'\t' read -r word _; do COMPREPLY+=("$word"); done <<< "${answer#*$'\n'}"
    fi
    if [[ ${#COMPREPLY[@]} -gt 0 && ${COMPREPLY[0]} == *= ]]; then compopt -o nospace; fi

    value=$current
    if [[ $current == --*=* ]]; then value=${current#*=}; fi
    local option=${current%"$value"}
    case ${answer%%$'\n'*} in
        files)
            compopt -o filenames
            while IFS= read -r word; do COMPREPLY+=("$option$word"); done < <(compgen -f -- "$value")
            ;;
        folders)
            compopt -o filenames
            while IFS= read -r word; do COMPREPLY+=("$option$word"); done < <(compgen -d -- "$value")
            ;;
    esac

    # Bash takes "a=b" for three words and replaces the last of them.
    if [[ ${#COMPREPLY[@]} -gt 0 && $current == *=* && ${COMP_WORDBREAKS-} == *=* ]]; then
        local before=${current%"${current##*=}"}
        COMPREPLY=("${COMPREPLY[@]#"$before"}")
    fi
}
complete -F _emergence emergence emergence-cli
)sh";

constexpr const char* kZsh = R"sh(#compdef emergence emergence-cli
# Completion of emergence and emergence-cli for zsh: the programs say what may come next.
_emergence() {
    local answer kind line name result=1
    local -a lines whole begun
    answer=$("${(Q)words[1]/#\~/${HOME-}}" __complete "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null) || return 1
    lines=("${(@f)answer}")
    kind=$lines[1]
    shift lines
    for line in $lines; do
        name=${line%%$'\t'*}
        line=${name//:/\\:}${line#$name}
        line=${line/$'\t'/:}
        if [[ $name == *= ]]; then begun+=("$line"); else whole+=("$line"); fi
    done
    if (( $#begun )); then _describe -t settings setting begun -S '' && result=0; fi
    if (( $#whole )); then _describe -t values value whole && result=0; fi
    if [[ $kind != words && $PREFIX == --*=* ]]; then compset -P '*='; fi
    case $kind in
        files) _files && result=0 ;;
        folders) _files -/ && result=0 ;;
    esac
    return result
}
if [[ ${funcstack[1]-} == _emergence ]]; then
    _emergence "$@"
else
    # A shell that nobody has set up for completion.
    if (( ! $+functions[compdef] )) && autoload -Uz +X compinit 2>/dev/null; then compinit -i -D; fi
    if (( $+functions[compdef] )); then compdef _emergence emergence emergence-cli; fi
fi
)sh";

constexpr const char* kFish =
    R"sh(# Completion of emergence and emergence-cli for fish: the programs say what may come next.
function __emergence_complete
    set -l words (commandline -opc)
    set -l begun (commandline -ct)
    set -l answer (command $words[1] __complete $words[2..-1] $begun 2>/dev/null)
    or return 1
    if test (count $answer) -gt 1
        printf '%s\n' $answer[2..-1]
    end
    set -l option (string match -r -- '^--[^=]*=' $begun)
    set -l value (string replace -r -- '^--[^=]*=' '' $begun)
    switch $answer[1]
        case files
            for path in (__fish_complete_path $value)
                printf '%s%s\n' "$option" $path
            end
        case folders
            for path in (__fish_complete_directories $value '')
                printf '%s%s\n' "$option" $path
            end
    end
end
complete -c emergence -c emergence-cli -f -a '(__emergence_complete)'
)sh";

}  // namespace

std::string completion_script(const std::string& shell) {
    if (shell == "bash") return kBash;
    if (shell == "fish") return kFish;
    if (shell == "zsh") return kZsh;
    throw InputError(fmt::format("completion: there is no script for '{}'. Use bash, fish or zsh.", shell));
}

}  // namespace emergence
