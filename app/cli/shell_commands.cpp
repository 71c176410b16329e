// help, man and completion: what an installed program says of itself.

#include <ostream>

#include "app/cli/command.h"
#include "app/install/completion.h"
#include "app/install/manual.h"

namespace emergence::cli {

Command help_command() {
    return {"help", "Help of the program, or of one command", [](Options& options) -> Action {
                auto command = std::make_shared<std::string>();
                options.text("command", "COMMAND", "Which command (default: the program)", *command);
                return [command](const Environment& environment) {
                    environment.out << help_text(*command);
                    return kDone;
                };
            }};
}

Command manual_command() {
    return {"man", "Print a manual page: emergence-cli man | man -l -", [](Options& options) -> Action {
                auto page = std::make_shared<std::string>("emergence-cli");
                options.choice("page", {"emergence-cli", "emergence-experiments"},
                               "Which page (default: emergence-cli)", *page);
                return [page](const Environment& environment) {
                    environment.out << (*page == "emergence-experiments"
                                            ? experiments_page(environment.experiments)
                                            : command_line_page(command_words(), environment.experiments));
                    return kDone;
                };
            }};
}

Command completion_command() {
    return {"completion", "Print a shell's completion script: source <(emergence-cli completion bash)",
            [](Options& options) -> Action {
                auto shell = std::make_shared<std::string>();
                options.choice("shell", {"bash", "fish", "zsh"}, "Which shell", *shell).required();
                return [shell](const Environment& environment) {
                    environment.out << completion_script(*shell, command_words());
                    return kDone;
                };
            }};
}

}  // namespace emergence::cli
