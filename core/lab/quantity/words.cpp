#include "core/lab/quantity/words.h"

#include <fmt/format.h>

#include <cctype>

namespace emergence {

const std::vector<QuantityWord>& quantity_words() {
    constexpr std::string_view kOfSeed = "of each seed", kOfRun = "of the run", kOverSeeds = "over seeds",
                               kCombined = "combined";
    static const std::vector<QuantityWord> words = {
        {"metric", "metric NAME [first | last | at STEP]",
         "A logged metric: the last value that is known (the default), the first one, or the first one at STEP or after it.",
         kOfSeed},
        {"curve", "curve PLOT NAME at X", "A curve of a plot at the nearest x.", kOfSeed},
        {"norm", "norm MATRIX [ROWS COLUMNS]",
         "The Frobenius norm of a matrix, or of its block with these labels.", kOfSeed},
        {"block", "block MATRIX [ROWS COLUMNS]", "The mean of the absolute values, likewise.", kOfSeed},
        {"trace", "trace MATRIX [ROWS COLUMNS]", "The sum of the diagonal, likewise.", kOfSeed},
        {"entry", "entry MATRIX ROW COLUMN", "One entry, counted from 0; -1 is the last row or column.",
         kOfSeed},
        {"emerged", "emerged", "1 if the seed has emerged, 0 if it has not or has failed.", kOfSeed},
        {"emerged_at", "emerged_at", "The step from which on it has emerged; none if it has not.", kOfSeed},
        {"failed", "failed", "1 if the seed has failed, for example diverged, otherwise 0.", kOfSeed},
        {"scalar", "scalar NAME", "A number of the status line or the read-outs.", kOfRun},
        {"number", "number SCENE NAME", "A number of a drawn world.", kOfRun},
        {"field", "field NAME", "A setting; a flag is 1 or 0.", kOfRun},
        {"step", "step", "The step that the run has reached.", kOfRun},
        {"seeds", "seeds", "The number of seeds, with those that failed.", kOfRun},
        {"mean", "mean(Q)", "The mean over seeds; alone with Student's 95 % interval.", kOverSeeds},
        {"median", "median(Q)", "The median.", kOverSeeds},
        {"share", "share(Q), share(Q < Q)",
         "The share of seeds whose value is not 0, or of which a comparison (<, <=, >, >=, ==) holds; alone with Wilson's 95 % interval.",
         kOverSeeds},
        {"count", "count(Q), count(Q < Q)", "Their number.", kOverSeeds},
        {"least", "least(Q)", "The least value; least(Q, Q) is the lesser of two, seed by seed.", kOverSeeds},
        {"greatest", "greatest(Q)", "The greatest value; greatest(Q, Q) likewise.", kOverSeeds},
        {"quantile", "quantile(Q, SHARE)", "The value that this share of the seeds is below, interpolated.",
         kOverSeeds},
        {"deviation", "deviation(Q)", "The standard deviation.", kOverSeeds},
        {"abs", "abs(Q)", "The absolute value.", kCombined},
        {"run", "run NAME: Q, run 1: Q", "The same of another run, by its name or its place, counted from 0.",
         kCombined},
        {"over runs", "over runs least(Q)",
         "That of the run with the least Q; likewise greatest( ), and mean( ) over runs. Only around the whole.",
         kCombined}};
    return words;
}

std::string quoted_name(std::string_view name) {
    const auto plain = [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return std::isalnum(byte) != 0 || byte > 127 || c == '_' || c == '-' || c == '\'';
    };
    bool bare = !name.empty();
    for (size_t i = 0; i < name.size(); ++i) {
        const auto byte = static_cast<unsigned char>(name[i]);
        bare = bare && plain(name[i]) && (i > 0 || std::isalpha(byte) != 0 || byte > 127 || name[i] == '_');
    }
    return bare ? std::string(name) : fmt::format("'{}'", name);
}

std::vector<AvailableQuantity> available_quantities(const RunView& run) {
    std::vector<AvailableQuantity> found;
    const Snapshot& snapshot = *run.snapshot;
    if (!snapshot.emergence_rule.empty()) found.push_back({"emerged", snapshot.emergence_rule});
    for (const MetricInfo& metric : run.history->table())
        found.push_back({"metric " + quoted_name(metric.name), metric.help});
    for (const Scalar& scalar : snapshot.scalars)
        found.push_back({"scalar " + quoted_name(scalar.name), scalar.help});
    for (const PlotSpec& plot : snapshot.plots)
        for (const Series& series : plot.series)
            if (!series.x.empty())
                found.push_back({fmt::format("curve {} {} at {:.6g}", quoted_name(plot.id),
                                             quoted_name(series.name), series.x.back()),
                                 plot.title});
    for (const NamedMatrix& matrix : snapshot.matrices) {
        found.push_back({"norm " + quoted_name(matrix.name), matrix.help});
        for (const Block& rows : matrix.row_blocks)
            for (const Block& columns : matrix.column_blocks)
                found.push_back({fmt::format("norm {} {} {}", quoted_name(matrix.name),
                                             quoted_name(rows.label), quoted_name(columns.label)),
                                 ""});
    }
    for (const Scene& scene : snapshot.scenes)
        if (scene.moments && !scene.moments->empty())
            for (const DrawnNumber& number : scene.moments->back().numbers)
                found.push_back({fmt::format("number {} {}", quoted_name(scene.id), quoted_name(number.name)),
                                 scene.title});
    return found;
}

}  // namespace emergence
