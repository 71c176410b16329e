#include "core/experiments/in_context_td/published/published_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <type_traits>

#include "core/base/check.h"
#include "core/base/error.h"
#include "core/files/array_files.h"
#include "core/files/atomic_write.h"
#include "core/files/folders.h"

namespace emergence {

namespace {

namespace fs = std::filesystem;

constexpr const char* kValueDifference = "v_tf v_td msve";
constexpr const char* kImplicitWeight = "implicit_weight_sim";
constexpr const char* kSensitivity = "sensitivity cos sim";

bool is_run_folder(const fs::path& folder) {
    std::error_code ignored;
    return fs::is_regular_file(folder / kPublishedData, ignored) &&
           fs::is_regular_file(folder / kPublishedParams, ignored);
}

// The archive's arrays; each must have the expected shape.
class PublishedArrays {
  public:
    PublishedArrays(const ArrayMap& arrays, const std::string& source) : arrays_(arrays), source_(source) {}

    const Array* find(const char* name) const {
        const auto found = arrays_.find(name);
        return found == arrays_.end() ? nullptr : &found->second;
    }
    const Array& need(const char* name) const {
        const Array* found = find(name);
        if (found == nullptr) refuse(name, "is missing");
        return *found;
    }
    const Array& need(const char* name, const std::vector<size_t>& shape) const {
        const Array& array = need(name);
        if (array.shape != shape)
            refuse(name, fmt::format("is {} instead of {}", shape_text(array.shape), shape_text(shape)));
        return array;
    }
    std::vector<double> reals(const char* name, const std::vector<size_t>& shape) const {
        const Array& array = need(name, shape);
        if (!std::holds_alternative<std::vector<float>>(array.values) &&
            !std::holds_alternative<std::vector<double>>(array.values))
            refuse(name, "holds whole numbers instead of floats");
        return as_doubles(array);
    }
    std::vector<double> reals_if_there(const char* name, const std::vector<size_t>& shape) const {
        return find(name) == nullptr ? std::vector<double>{} : reals(name, shape);
    }
    [[noreturn]] void refuse(const char* name, const std::string& what) const {
        throw InputError(fmt::format("{}: array '{}' {}", source_, name, what));
    }

  private:
    const ArrayMap& arrays_;
    const std::string& source_;
};

std::vector<int64_t> ascending_steps(const PublishedArrays& arrays) {
    const Array& xs = arrays.need("xs");
    const auto* steps = std::get_if<std::vector<int64_t>>(&xs.values);
    if (steps == nullptr || xs.shape.size() != 1 || steps->empty())
        arrays.refuse("xs", "is no list of whole numbers, the MRPs at which was logged");
    if (steps->front() < 0 || std::adjacent_find(steps->begin(), steps->end(), std::greater_equal<>()) != steps->end())
        arrays.refuse("xs", "does not ascend from 0 on");
    return *steps;
}

std::vector<float> as_floats(const std::vector<double>& values) {
    std::vector<float> floats;
    floats.reserve(values.size());
    for (const double value : values) floats.push_back(static_cast<float>(value));
    return floats;
}

// Visits the settings of experiment "td" that params.json has under another name.
template <class Params, class Visit>
void visit_fields_of(Params& p, const Visit& visit) {
    visit("d", p.d);
    visit("num_states", p.s);
    visit("n", p.n);
    visit("num_layers", p.l);
    visit("gamma", p.gamma);
    visit("activation", p.activation);
    visit("representable", p.sample_weight);
    visit("num_mrps", p.n_mrps);
    visit("minibatch_size", p.mini_batch_size);
    visit("minibatches_per_mrp", p.n_batch_per_mrp);
    visit("learning_rate", p.lr);
    visit("weight_decay", p.weight_decay);
    visit("log_interval", p.log_interval);
    visit("seed", p.random_seed);
}

Array list_of(const std::vector<double>& values) { return {{values.size()}, values}; }

}  // namespace

size_t PublishedRun::matrix_size() const {
    const auto rows = static_cast<size_t>(2 * params.d + 1);
    return static_cast<size_t>(params.stored_layers()) * rows * rows;
}

std::vector<fs::path> published_run_folders(const fs::path& path) {
    const std::string name = path.filename().string();
    if (is_run_folder(path)) return {path};
    if (name == kPublishedData || name == kPublishedParams)
        return is_run_folder(path.parent_path()) ? std::vector{path.parent_path()} : std::vector<fs::path>{};
    std::vector<fs::path> folders;
    for (const fs::path& folder : entries_in(path))
        if (is_run_folder(folder)) folders.push_back(folder);
    return folders;
}

PublishedParams read_published_params(const fs::path& folder) {
    const fs::path file = folder / kPublishedParams;
    const PublishedParams params = parse_published_params(as_text(read_file(file, kMostTomlBytes)), file.string());
    // Check only the values used here; the experiment checks the others.
    for (const int64_t size : {params.d, params.l})
        if (size < 1 || size > 1000)
            throw InputError(fmt::format("{}: d and l: {} is not from 1 to 1000", file.string(), size));
    if (params.random_seed < 0)
        throw InputError(fmt::format("{}: random_seed: {} is negative", file.string(), params.random_seed));
    return params;
}

PublishedRun published_run_of(const PublishedParams& params, const ArrayMap& arrays, const std::string& source) {
    const PublishedArrays found(arrays, source);
    PublishedRun run;
    run.params = params;
    run.steps = ascending_steps(found);
    const size_t logs = run.steps.size(), rows = static_cast<size_t>(2 * params.d + 1);
    run.alpha = found.reals("alpha", {logs});
    const std::vector<size_t> shape = {logs, static_cast<size_t>(params.stored_layers()), rows, rows};
    run.P = as_floats(found.reals("P", shape));
    run.Q = as_floats(found.reals("Q", shape));
    run.value_difference = found.reals_if_there(kValueDifference, {logs});
    run.implicit_weight = found.reals_if_there(kImplicitWeight, {logs});
    run.sensitivity = found.reals_if_there(kSensitivity, {logs});
    return run;
}

PublishedRun read_published_run(const fs::path& folder) {
    const PublishedParams params = read_published_params(folder);
    const fs::path file = folder / kPublishedData;
    const ArrayMap arrays = ArrayFile(file, kMostPublishedBytes)
                                .read({"xs", "alpha", "P", "Q", kValueDifference, kImplicitWeight, kSensitivity});
    return published_run_of(params, arrays, file.string());
}

ArrayMap published_arrays(const PublishedRun& run) {
    const auto rows = static_cast<size_t>(2 * run.params.d + 1);
    const std::vector<size_t> shape = {run.steps.size(), static_cast<size_t>(run.params.stored_layers()), rows, rows};
    ArrayMap arrays;
    arrays["xs"] = {{run.steps.size()}, run.steps};
    arrays["alpha"] = list_of(run.alpha);
    arrays["P"] = {shape, run.P};
    arrays["Q"] = {shape, run.Q};
    if (!run.value_difference.empty()) arrays[kValueDifference] = list_of(run.value_difference);
    if (!run.implicit_weight.empty()) arrays[kImplicitWeight] = list_of(run.implicit_weight);
    if (!run.sensitivity.empty()) arrays[kSensitivity] = list_of(run.sensitivity);
    return arrays;
}

void write_published_run(const fs::path& folder, const PublishedRun& run) {
    make_folder(folder);
    write_npz(folder / kPublishedData, published_arrays(run));
    write_file(folder / kPublishedParams, std::string_view(published_params_text(run.params)));
}

SettingsFile published_settings(const fs::path& path) {
    const std::vector<fs::path> folders = published_run_folders(path);
    if (folders.empty())
        throw InputError(
            fmt::format("{}: no run of the published code. Name a folder with {} and {}, or a folder of such folders",
                        path.string(), kPublishedData, kPublishedParams));
    const PublishedParams params = read_published_params(folders.front());
    for (const fs::path& folder : folders) {
        PublishedParams other = read_published_params(folder);
        other.random_seed = params.random_seed;
        if (!(other == params))
            throw InputError(fmt::format("{}: its settings differ from those of {} in more than the seed",
                                         (folder / kPublishedParams).string(), folders.front().string()));
    }
    SettingsFile file;
    file.source = (folders.front() / kPublishedParams).string();
    file.experiment = "td";
    file.title = "A run of the published code";
    const auto entry = [&file](const char* name, FieldValue value) {
        file.entries.push_back({name, std::move(value)});
    };
    const fs::path place = folders.size() == 1 ? folders.front() : path;
    entry("replay", fs::absolute(place).lexically_normal().string());
    entry("seeds", static_cast<int64_t>(folders.size()));
    visit_fields_of(params, entry);
    entry("sequential", params.mode == "sequential");
    entry("task", params.mrp_class == "cartpole" ? "cart_pole" : params.mrp_class);
    return file;
}

PublishedParams published_params_of(const Settings& settings) {
    PublishedParams params;
    visit_fields_of(params, [&settings](const char* name, auto& value) {
        value = std::get<std::remove_cvref_t<decltype(value)>>(settings.value(name));
    });
    params.mode = settings.flag("sequential") ? "sequential" : "auto";
    const std::string& task = settings.text("task");
    params.mrp_class = task == "cart_pole" ? "cartpole" : task;
    return params;
}

std::vector<std::string> without_published_param(const Settings& settings) {
    std::vector<std::string> known = {"sequential", "task"};
    PublishedParams params;
    visit_fields_of(params, [&known](const char* name, const auto&) { known.emplace_back(name); });
    std::vector<std::string> names;
    for (const FieldInfo& info : settings.fields())
        if (info.group != "evaluation" && info.group != "run" && settings.value(info.name) != info.default_value &&
            std::find(known.begin(), known.end(), info.name) == known.end())
            names.push_back(info.name);
    return names;
}

namespace {

// Appends one seed's part of an array over seeds.
void append_part(const Array& array, size_t index, std::vector<float>& values) {
    const auto* all = std::get_if<std::vector<float>>(&array.values);
    check(all != nullptr && array.shape.front() > index, "weights are floats, one part a seed");
    const size_t size = all->size() / array.shape.front();
    const auto start = all->begin() + static_cast<std::ptrdiff_t>(index * size);
    values.insert(values.end(), start, start + static_cast<std::ptrdiff_t>(size));
}

// Appends the last logged value of a metric if the run has that metric.
void append_last(const MetricHistory& history, const std::string& metric, int seed, std::vector<double>& values) {
    for (const MetricInfo& info : history.table())
        if (info.name == metric) values.push_back(history.column(metric, seed).back());
}

}  // namespace

PublishedRecorder::PublishedRecorder(const std::string& experiment, const Settings& settings) {
    if (experiment != "td")
        throw InputError(fmt::format("experiment: the published code's form holds the P and Q of td, not weights of {}",
                                     experiment));
    if (settings.text("model") != "attention")
        throw InputError("model: the published code's form holds P and Q of attention, not weights of another model");
    if (settings.text("mask") != "td")
        throw InputError("mask: the published code's form has no mask of traces. Set mask to td");
    PublishedRun run;
    run.params = published_params_of(settings);
    for (int64_t k = 0; k < settings.integer("seeds"); ++k) {
        runs_.push_back(run);
        runs_.back().params.random_seed += k;
    }
}

void PublishedRecorder::add(const Snapshot& snapshot, const MetricHistory& history) {
    check(snapshot.seeds.size() == runs_.size(), "the run has the seeds of its settings");
    for (size_t k = 0; k < runs_.size(); ++k) {
        const SeedStatus& seed = snapshot.seeds[k];
        runs_[k].params.random_seed = static_cast<int64_t>(seed.seed);
        const bool logged = !history.steps().empty() && history.steps().back() == static_cast<double>(snapshot.step);
        if (snapshot.step > 0 && logged && !seed.failed) add_seed(k, snapshot, history);
    }
}

void PublishedRecorder::add_seed(size_t index, const Snapshot& snapshot, const MetricHistory& history) {
    PublishedRun& run = runs_[index];
    const auto seed = static_cast<int>(index);
    run.steps.push_back(snapshot.step);
    append_part(snapshot.weights.at("P"), index, run.P);
    append_part(snapshot.weights.at("Q"), index, run.Q);
    append_last(history, "alpha", seed, run.alpha);
    append_last(history, "value_difference", seed, run.value_difference);
    append_last(history, "implicit_weight_similarity", seed, run.implicit_weight);
    append_last(history, "sensitivity_similarity", seed, run.sensitivity);
}

std::vector<PublishedRun> PublishedRecorder::runs() const {
    std::vector<PublishedRun> logged;
    std::copy_if(runs_.begin(), runs_.end(), std::back_inserter(logged),
                 [](const PublishedRun& run) { return !run.steps.empty(); });
    return logged;
}

}  // namespace emergence
