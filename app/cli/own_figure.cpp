#include "app/cli/own_figure.h"

#include <fmt/format.h>

#include <ostream>
#include <system_error>

#include "app/open/own_figure.h"
#include "core/base/error.h"
#include "core/files/atomic_write.h"
#include "core/files/text.h"

namespace emergence::cli {
namespace {

namespace fs = std::filesystem;

// In the folder of its figure.
constexpr const char* kFigureFile = "figure.toml";

Environment with_experiments(const Environment& from, const std::vector<ExperimentInfo>& experiments) {
    return {experiments,      from.out,           from.err,         from.err_is_terminal, from.stop,
            from.assets,      from.columns,       from.reader_left, from.command,         from.arguments,
            from.err_columns, from.catch_signals, from.stop_reason, from.saved,           from.files,
            from.dry_run,     from.planned,       from.own_figure};
}

bool has_claims(const std::string& text) { return text.find("\n[claims.") != std::string::npos; }

}  // namespace

std::vector<Claim> Environment::claims() const {
    if (own_figure.empty()) return claims_in(assets() / "figures", experiments);
    if (!has_claims(read_text(own_figure))) return {};
    ReadClaims read = read_claims({own_figure}, experiments);
    if (!read.faults.empty()) throw InputError(read.faults.front());
    return std::move(read.claims);
}

int with_own_figure(const fs::path& path, const std::vector<std::string>& folders, const Environment& environment,
                    const std::function<int(const Environment&, const std::string& name)>& use) {
    const FindExperiment find = environment.find_experiment();
    std::vector<std::string> notices;
    const OwnFigure figure = own_figure_at(path, folders, find, environment.assets(), notices);
    for (const std::string& notice : notices) environment.notice(notice);
    std::vector<ExperimentInfo> experiments = environment.experiments;
    for (ExperimentInfo& info : experiments)
        if (info.name == figure.experiment->name) info = *figure.experiment;
    Environment own = with_experiments(environment, experiments);
    own.own_figure = path;
    return use(own, figure.name);
}

fs::path own_figure_in(const fs::path& folder) {
    const fs::path file = folder / kFigureFile;
    return is_own_figure(file) ? file : fs::path();
}

void keep_own_figure(const fs::path& path, const fs::path& folder, const std::string& name) {
    const fs::path kept = folder / kFigureFile;
    std::error_code ignored;
    if (fs::equivalent(path, kept, ignored)) return;
    const std::string text = read_text(path);
    const bool named = text.starts_with("figure =") || text.find("\nfigure =") != std::string::npos;
    write_file(kept, std::string_view(named ? text : fmt::format("figure = \"{}\"\n", name) + text));
}

}  // namespace emergence::cli
