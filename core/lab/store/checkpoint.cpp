#include "core/lab/store/checkpoint.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <cstring>
#include <system_error>

#include "core/base/error.h"
#include "core/base/ranges.h"
#include "core/base/text.h"
#include "core/files/array_files.h"
#include "core/files/atomic_write.h"
#include "core/files/bytes.h"
#include "core/files/folders.h"
#include "core/lab/runs/run.h"
#include "core/lab/views/run_views.h"
#include "core/settings/embedded_settings.h"
#include "core/settings/toml_reader.h"

namespace emergence {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFormat = "format";
constexpr const char* kChecksum = "checksum";
constexpr const char* kSeconds = "seconds";
constexpr const char* kSteps = "steps";
constexpr const char* kSeedCount = "seeds";
constexpr const char* kMetrics = "metrics";
constexpr const char* kRows = "rows/";
constexpr const char* kEmergedSeeds = "emerged";
constexpr const char* kSeedPrefix = "seed ";

// The checksum of all other arrays with their names, shapes and types; ZIP's checksums cover only the contents.
uint64_t checksum_of(const ArrayMap& arrays) {
    uint64_t hash = fnv_of({});
    const auto add = [&hash](const auto& values) { hash = fnv_of(std::as_bytes(std::span(values)), hash); };
    for (const auto& [name, array] : arrays) {
        if (name == kChecksum) continue;
        add(name);
        add(std::array{uint64_t{array.values.index()}});
        for (const size_t length : array.shape) add(std::array{uint64_t{length}});
        std::visit(add, array.values);
    }
    return hash;
}

// The values of the one-dimensional array of that name and type.
template <class T>
const std::vector<T>& vector_in(const ArrayMap& arrays, const std::string& name, const std::string& source) {
    if (!arrays.contains(name)) throw InputError("{}: is not a checkpoint: array '{}' is missing", source, name);
    const auto* values = std::get_if<std::vector<T>>(&arrays.at(name).values);
    if (values == nullptr) throw InputError("{}: array '{}' has another type", source, name);
    return *values;
}

template <class T>
T number_in(const ArrayMap& arrays, const std::string& name, const std::string& source) {
    const auto& values = vector_in<T>(arrays, name, source);
    if (values.size() != 1)
        throw InputError("{}: array '{}' has {} numbers instead of one", source, name, values.size());
    return values[0];
}

// "seed 12/weights" gives 12 and "weights". Throws InputError unless the seed is below `count`.
std::pair<size_t, std::string> seed_entry(const std::string& name, size_t count, const std::string& source) {
    const size_t slash = name.find('/');
    const size_t prefix = std::strlen(kSeedPrefix);
    const auto seed = parsed<size_t>(std::string_view(name).substr(prefix, slash - prefix));
    if (slash == std::string::npos || !seed || *seed >= count)
        throw InputError("{}: array '{}' belongs to none of the {} seeds", source, name, count);
    return {*seed, name.substr(slash + 1)};
}

// The columns of the rows, in the order of the numbers in their names. Every size is checked before anything is
// allocated for the rows: a small file may declare large counts.
std::vector<const std::vector<double>*> columns_in(const ArrayMap& arrays, size_t rows, const std::string& source) {
    std::vector<const std::vector<double>*> columns;
    for (std::string name; arrays.contains(name = fmt::format("{}{}", kRows, columns.size()));) {
        columns.push_back(&vector_in<double>(arrays, name, source));
        if (columns.back()->size() != rows)
            throw InputError("{}: array '{}' has {} values instead of {}, one per seed and logged step", source, name,
                             columns.back()->size(), rows);
    }
    if (columns.empty() && rows > 0) throw InputError("{}: is not a checkpoint: array '{}0' is missing", source, kRows);
    return columns;
}

std::vector<MetricRow> rows_in(const ArrayMap& arrays, size_t seeds, const std::string& source) {
    const auto& steps = vector_in<int64_t>(arrays, kSteps, source);
    const size_t count = steps.size() * seeds;
    if (count > kMostStoredRows)
        throw InputError("{}: it has {} rows, more than the limit of {}: seeds times logged steps", source, count,
                         kMostStoredRows);
    const bool ascend = std::adjacent_find(steps.begin(), steps.end(), std::greater_equal<>()) == steps.end();
    if (!steps.empty() && (!ascend || steps.front() < 0 || steps.back() > kMostStoredStep))
        throw InputError("{}: its logged steps do not ascend from 0 to at most {}", source, kMostStoredStep);
    const auto columns = columns_in(arrays, count, source);
    std::vector<MetricRow> rows;
    rows.reserve(count);
    for (size_t i = 0; i < count; ++i) {
        rows.push_back({static_cast<int>(i % seeds), steps[i / seeds], {}});
        rows.back().values.reserve(columns.size());
        for (const std::vector<double>* column : columns) rows.back().values.push_back((*column)[i]);
    }
    return rows;
}

// 0 if the file is missing or damaged. Only a read-out depends on it.
double training_time_in(const fs::path& folder) {
    constexpr size_t kLongestTime = 4096;
    try {
        return read_toml(folder / kTrainingTimeFile, kLongestTime)[kSeconds].value_or(0.0);
    } catch (const std::runtime_error&) {
        return 0.0;
    }
}

// The places of a checkpoint's metrics among the run's metrics. An earlier version may have logged fewer.
std::vector<size_t> places_of_metrics(const Checkpoint& checkpoint, const MetricTable& table) {
    std::vector<size_t> columns;
    for (const std::string& name : checkpoint.metrics) {
        const MetricInfo* found = find_named(table, name);
        if (found == nullptr)
            throw InputError("{}: it has the metric '{}', which this version does not log", checkpoint.settings.source,
                             name);
        columns.push_back(static_cast<size_t>(found - table.data()));
    }
    if (!columns.empty()) return columns;
    for (size_t i = 0; i < table.size(); ++i) columns.push_back(i);
    return columns;
}

}  // namespace

void seal_checkpoint(ArrayMap& arrays) { arrays[kChecksum] = array_of(std::vector<uint64_t>{checksum_of(arrays)}); }

SavedState state_of(const std::string& experiment, const Run& run, double seconds) {
    SavedState state{experiment, run.study().settings(), run.step(), run.save(), seconds};
    for (int k = 0; k < run.num_seeds(); ++k) state.emerged.push_back(is_counted(run.seed_status(k)) ? 1 : 0);
    return state;
}

ArrayMap checkpoint_arrays(const SavedState& state, const MetricHistory& history, const std::string& figure) {
    ArrayMap arrays;
    arrays[kFormat] = array_of(std::vector<uint64_t>{kCheckpointFormat});
    arrays[kSettingsKey] =
        codes_of<int64_t>(settings_to_toml(state.experiment, state.settings, {figure, state.step, {}}));
    arrays[kSeedCount] = array_of(std::vector<uint64_t>{state.seeds.size()});
    for (size_t k = 0; k < state.seeds.size(); ++k)
        for (const auto& [name, array] : state.seeds[k]) arrays[fmt::format("{}{}/{}", kSeedPrefix, k, name)] = array;
    if (!state.emerged.empty()) arrays[kEmergedSeeds] = array_of(state.emerged);
    std::vector<int64_t> steps;
    for (const double step : history.steps())
        if (step <= static_cast<double>(state.step)) steps.push_back(static_cast<int64_t>(step));
    for (size_t m = 0; m < history.table().size(); ++m) {
        std::vector<double> values;
        for (size_t i = 0; i < steps.size(); ++i)
            for (int k = 0; k < history.num_seeds(); ++k)
                values.push_back(history.column(history.table()[m].name, k)[i]);
        arrays[fmt::format("{}{}", kRows, m)] = array_of(values);
    }
    arrays[kSteps] = array_of(steps);
    std::string names;
    for (const MetricInfo& metric : history.table()) names += metric.name + '\n';
    arrays[kMetrics] = codes_of<uint64_t>(names);
    seal_checkpoint(arrays);
    return arrays;
}

void write_checkpoint(const fs::path& folder, const SavedState& state, const MetricHistory& history,
                      const std::string& figure) {
    const std::vector<std::byte> bytes = npz_bytes(checkpoint_arrays(state, history, figure));
    if (bytes.size() > kMostArrayBytes)
        throw IoError(
            "{}: the state of this run takes {} MB, but a checkpoint has at most {} MB. Use "
            "fewer seeds, or a longer log interval",
            (folder / kCheckpointFile).string(), bytes.size() >> 20, kMostArrayBytes >> 20);
    write_file(folder / kTrainingTimeFile, std::string_view(fmt::format("{} = {:.3f}\n", kSeconds, state.seconds)));
    const fs::path file = folder / kCheckpointFile;
    AtomicFile next(file);
    next.write(as_text(bytes));
    // The older checkpoint is replaced only when the new one is on the disk. A kill between the two renames leaves the
    // previous checkpoint, whole, under the older name.
    next.sync();
    std::error_code failed;
    if (fs::exists(file, failed)) fs::rename(file, folder / kOlderCheckpointFile, failed);
    if (failed) throw IoError("{}: {}", file.string(), error_text(failed));
    next.commit();
}

Checkpoint parse_checkpoint(std::span<const std::byte> bytes, const std::string& source) {
    ArrayMap arrays = parse_npz(bytes, source);
    const auto format = number_in<uint64_t>(arrays, kFormat, source);
    if (format == 0 || format > kCheckpointFormat)
        throw InputError("{}: a newer version of Emergence wrote it, in format {}; this one reads up to format {}",
                         source, format, kCheckpointFormat);
    if (number_in<uint64_t>(arrays, kChecksum, source) != checksum_of(arrays))
        throw InputError("{}: its checksum does not match: it was altered or damaged", source);
    Checkpoint checkpoint;
    checkpoint.settings = config_in(bytes, source);
    const auto seeds = number_in<uint64_t>(arrays, kSeedCount, source);
    if (seeds > kMostStoredSeeds)
        throw InputError("{}: it has {} seeds, more than the limit of {}", source, seeds, kMostStoredSeeds);
    checkpoint.seeds.resize(seeds);
    for (auto& [name, array] : arrays) {
        if (!name.starts_with(kSeedPrefix)) continue;
        const auto [seed, inner] = seed_entry(name, seeds, source);
        checkpoint.seeds[seed][inner] = std::move(array);
    }
    checkpoint.rows = rows_in(arrays, seeds, source);
    if (arrays.count(kEmergedSeeds) != 0) {
        checkpoint.emerged = vector_in<int64_t>(arrays, kEmergedSeeds, source);
        if (checkpoint.emerged.size() != seeds)
            throw InputError("{}: array '{}' has {} numbers instead of {}, one per seed", source, kEmergedSeeds,
                             checkpoint.emerged.size(), seeds);
    }
    if (arrays.count(kMetrics) != 0) {
        const std::string names = saved_text(arrays.at(kMetrics));
        for (size_t from = 0, end; (end = names.find('\n', from)) != std::string::npos; from = end + 1)
            checkpoint.metrics.push_back(names.substr(from, end - from));
    }
    return checkpoint;
}

FoundCheckpoint find_checkpoint(const fs::path& folder) {
    refuse_links_out(folder);
    std::string wrong;
    for (const char* name : {kCheckpointFile, kOlderCheckpointFile}) {
        const fs::path file = folder / name;
        if (kind_of_file(file) == fs::file_type::not_found) continue;
        try {
            FoundCheckpoint found{parse_checkpoint(read_file(file, kMostArrayBytes), file.string()), file, wrong};
            found.checkpoint.seconds = training_time_in(folder);
            if (!wrong.empty()) found.notice += fmt::format("; using the previous one, {}", name);
            return found;
        } catch (const InputError& error) {  // damaged
            wrong += (wrong.empty() ? "" : "; ") + std::string(error.what());
        }
    }
    std::error_code ignored;
    if (!fs::exists(folder, ignored))
        throw InputError("{}: there is no such folder. Name the folder of a run", folder.string());
    if (wrong.empty()) throw InputError("{}: holds no {}. Name the folder of a run", folder.string(), kCheckpointFile);
    throw InputError(wrong);
}

std::vector<std::string> set_damaged_aside(const fs::path& folder) {
    std::vector<std::string> sentences;
    for (const std::string_view name : {kCheckpointFile, kOlderCheckpointFile, kMomentsFile}) {
        const fs::path file = folder / name;
        if (kind_of_file(file) == fs::file_type::not_found) continue;
        try {
            if (name == kMomentsFile)
                moments_in(folder);
            else
                parse_checkpoint(read_file(file, kMostArrayBytes), file.string());
        } catch (const InputError& error) {
            const fs::path kept = free_path(folder / ("damaged-" + file.stem().string()), ".npz");
            std::error_code failed;
            fs::rename(file, kept, failed);
            if (failed) throw IoError("{}; it cannot be renamed: {}", error.what(), error_text(failed));
            sentences.push_back(fmt::format("{}. It is kept as {}", error.what(), kept.filename().string()));
        }
    }
    return sentences;
}

void restore(const Checkpoint& checkpoint, Run& run) {
    const size_t metrics = places_of_metrics(checkpoint, run.study().metrics()).size();
    for (const MetricRow& row : checkpoint.rows)
        if (row.values.size() != metrics || row.seed_index >= run.num_seeds())
            throw InputError("{}: a row has {} metrics instead of {}, or a seed beyond {}", checkpoint.settings.source,
                             row.values.size(), metrics, run.num_seeds());
    run.load(checkpoint.seeds);
}

std::vector<MetricRow> rows_of(const Checkpoint& checkpoint, const MetricTable& table) {
    const std::vector<size_t> columns = places_of_metrics(checkpoint, table);
    std::vector<MetricRow> rows = checkpoint.rows;
    for (MetricRow& row : rows) {
        std::vector<double> values(table.size(), kMissing);
        for (size_t i = 0; i < columns.size(); ++i) values[columns[i]] = row.values[i];
        row.values = std::move(values);
    }
    return rows;
}

void restore(const Checkpoint& checkpoint, Run& run, MetricHistory& history) {
    restore(checkpoint, run);
    for (const MetricRow& row : rows_of(checkpoint, run.study().metrics())) history.append(row);
}

std::vector<Snapshot> outlines_before(const Checkpoint& checkpoint, Run& run) {
    std::vector<Snapshot> past;
    for (const SavedMoment& moment : checkpoint.moments) {
        if (moment.step >= checkpoint.settings.step.value_or(0)) break;
        try {
            run.load(moment.seeds);
        } catch (const InputError& error) {
            throw InputError("{}: the moment of step {}: {}. Remove this file to open the run without its moments",
                             kMomentsFile, moment.step, error.what());
        }
        past.push_back(run.outline());
    }
    return past;
}

ArrayMap weights_file(const Snapshot& snapshot) {
    ArrayMap arrays = snapshot.weights;
    if (!arrays.empty())
        for (const NamedMatrix& matrix : snapshot.matrices)
            if (!matrix.signs.empty()) arrays["sign_" + matrix.name] = {{matrix.signs.size()}, matrix.signs};
    arrays[kSettingsKey] =
        codes_of<int64_t>(settings_to_toml(snapshot.experiment, snapshot.settings, {"", snapshot.step}));
    return arrays;
}

bool holds_bare_weights(const std::filesystem::path& path) {
    try {
        const ArrayFile file(path, kMostWeightBytes);
        return file.contains("P") && file.contains("Q") && !file.contains(kSettingsKey);
    } catch (const InputError&) {
        return false;
    }
}

}  // namespace emergence
