// man and what a shell's completion asks: what an installed program says of itself.

#include <ostream>

#include "app/cli/commands.h"
#include "app/install/completion.h"
#include "app/install/manual.h"

namespace emergence::cli {

int run_manual(const ManualRequest& request, const Environment& environment) {
    environment.out << (request.page == "emergence-experiments"
                            ? experiments_page(environment.experiments)
                            : command_line_page(command_words(), environment.experiments));
    return kDone;
}

int run_complete(const CompleteRequest& request, const Environment& environment) {
    const Vocabulary vocabulary{environment.experiments, environment.assets};
    environment.out << printed(complete(command_words(), request.words, vocabulary));
    return kDone;
}

}  // namespace emergence::cli
