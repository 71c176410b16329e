#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <system_error>

#include "core/base/error.h"
#include "core/base/ranges.h"
#include "core/base/text.h"
#include "core/experiments/in_context_td/settings/td_settings.h"
#include "core/experiments/in_context_td/settings/worlds.h"
#include "core/files/csv.h"
#include "core/files/folders.h"
#include "core/files/text.h"
#include "core/settings/toml_reader.h"

namespace emergence {
namespace {

namespace fs = std::filesystem;

constexpr int kMostWorldStates = 64, kMostWorldFeatures = 16;
constexpr double kRowTolerance = 1e-6;

using Rows = std::vector<std::vector<double>>;

// The parts of a file before they are checked against each other.
struct WorldParts {
    std::vector<std::string> states;
    std::vector<double> initial, reward;
    Rows transition, features;  // one row per state
    std::optional<double> gamma;
};

[[noreturn]] void refuse_world(const std::string& source, const std::string& field, const std::string& found,
                               const std::string& allowed) {
    throw InputError("{}: {}: expected {}, not {}", source, field, allowed, found);
}

// ---- TOML files

class WorldReader {
  public:
    WorldReader(const toml::table& table, const std::string& source) : table_(table), source_(source) {
        const std::vector<std::string> names = {"title",   "description", "gamma",  "states",
                                                "initial", "transition",  "reward", "features"};
        for (const auto& [name, node] : table)
            if (!contains(names, name.str()))
                throw InputError("{}:{}:{}: {}", source, name.source().begin.line, name.source().begin.column,
                                 unknown_name("key", name.str(), names));
    }

    // A part that the file lacks is empty.
    std::string text(const char* name) const {
        const toml::node* node = table_.get(name);
        return node == nullptr ? "" : value<std::string>(*node, name, "a text in quotes");
    }
    std::optional<double> gamma() const {
        const toml::node* node = table_.get("gamma");
        return node == nullptr ? std::nullopt : std::optional(value<double>(*node, "gamma", "a number"));
    }
    std::vector<std::string> names(const char* name) const {
        return each(table_.get(name), name,
                    [&](const toml::node& node) { return value<std::string>(node, name, "texts in quotes"); });
    }
    std::vector<double> numbers(const char* name) const { return numbers_in(table_.get(name), name); }
    Rows rows(const char* name) const {
        size_t row = 0;
        return each(table_.get(name), name,
                    [&](const toml::node& node) { return numbers_in(&node, fmt::format("{} row {}", name, ++row)); });
    }

  private:
    [[noreturn]] void refuse(const toml::node& node, const std::string& name, const char* wanted) const {
        refuse_world(source_, name,
                     node.is_string()   ? "a text"
                     : node.is_number() ? "a number"
                     : node.is_array()  ? "a list"
                                        : "something else",
                     wanted);
    }
    // The node as a text or as a number.
    template <class Value>
    Value value(const toml::node& node, const std::string& name, const char* wanted) const {
        const bool fits = std::is_same_v<Value, std::string> ? node.is_string() : node.is_number();
        const auto value = fits ? node.value<Value>() : std::nullopt;
        if (!value) refuse(node, name, wanted);
        return *value;
    }
    template <class Read>
    std::vector<std::invoke_result_t<Read, const toml::node&>> each(const toml::node* node, const std::string& name,
                                                                    const Read& read) const {
        std::vector<std::invoke_result_t<Read, const toml::node&>> all;
        if (node == nullptr) return all;
        if (!node->is_array()) refuse(*node, name, "a list in brackets");
        for (const toml::node& one : *node->as_array()) all.push_back(read(one));
        return all;
    }
    std::vector<double> numbers_in(const toml::node* node, const std::string& name) const {
        return each(node, name, [&](const toml::node& one) { return value<double>(one, name, "a number"); });
    }

    const toml::table& table_;
    const std::string& source_;
};

// ---- CSV files

// The numbers of one state, from the columns `prefix`1, `prefix`2, ...
std::vector<double> numbered_row(const NumericTable& table, const std::string& prefix, size_t row) {
    std::vector<double> numbers;
    for (size_t k = 0; k < table.header.size(); ++k)
        if (table.header[k] == fmt::format("{}{}", prefix, numbers.size() + 1))
            numbers.push_back(table.columns[k][row]);
    return numbers;
}

// Throws InputError unless the columns p1, p2, .. and phi1, phi2, .. each count from 1 in order.
void check_world_header(const NumericTable& table) {
    size_t p = 0, phi = 0;
    for (const std::string& name : table.header) {
        if (name == "reward" || name == "initial") continue;
        const std::string expected = name.starts_with("phi") ? fmt::format("phi{}", ++phi) : fmt::format("p{}", ++p);
        if (name != expected)
            refuse_world(table.source, "header", fmt::format("'{}'", name),
                         fmt::format("'{}' (reward, initial, p1, p2, .. and phi1, phi2, .. in order)", expected));
    }
}

// ---- from parts to an MRP

class WorldMaker {
  public:
    WorldMaker(const WorldParts& parts, const std::string& source) : parts_(parts), source_(source) {}

    WorldFile make() const {
        const size_t states = parts_.transition.size(), features = check_sizes(states);
        WorldFile world{"", parts_.states, parts_.gamma, {}};
        if (world.gamma && !(*world.gamma >= 0.0 && *world.gamma < 1.0))
            refuse("gamma", fmt::format("{}", *world.gamma), "a number from 0 to below 1");
        const auto m = static_cast<Index>(states);
        world.mrp.transition.resize(m, m);
        world.mrp.features.resize(static_cast<Index>(features), m);
        world.mrp.initial = parts_.initial.empty() ? Vec::Constant(m, 1.0 / static_cast<double>(m))
                                                   : distribution(parts_.initial, "initial");
        for (size_t s = 0; s < states; ++s) {
            const auto row = static_cast<Index>(s);
            world.mrp.transition.row(row) =
                distribution(parts_.transition[s], fmt::format("transition row {}", s + 1)).transpose();
            world.mrp.features.col(row) = finite(parts_.features[s], fmt::format("features row {}", s + 1));
            if (s >= world.states.size()) world.states.push_back(fmt::format("{}", s + 1));
        }
        world.mrp.reward = finite(parts_.reward, "reward");
        try {
            stationary_distribution(world.mrp);
        } catch (const InputError&) {
            refuse("transition", "several closed sets of states, so the stationary distribution depends on the start",
                   "a single closed set of states");
        }
        return world;
    }

  private:
    [[noreturn]] void refuse(const std::string& field, const std::string& found, const std::string& allowed) const {
        refuse_world(source_, field, found, allowed);
    }
    void check_length(const std::string& field, const auto& found, size_t wanted, const char* what) const {
        if (found.size() == wanted) return;
        const bool halves = wanted > 0 && found.size() == 2 * wanted;
        refuse(field, fmt::format("{}{}", found.size(), halves ? fmt::format(". {}", kPointForComma) : ""),
               fmt::format("{} {}", wanted, what));
    }

    // Returns the number of features.
    size_t check_sizes(size_t states) const {
        if (states < 2 || states > kMostWorldStates)
            refuse("transition", fmt::format("{}", states),
                   fmt::format("2 to {} rows, one per state", kMostWorldStates));
        const size_t features = parts_.features.empty() ? 0 : parts_.features.front().size();
        if (features < 1 || features > kMostWorldFeatures)
            refuse("features", parts_.features.empty() ? "none" : fmt::format("{}", features),
                   fmt::format("1 to {} per state, one row per state", kMostWorldFeatures));
        check_length("reward", parts_.reward, states, "numbers");
        check_length("features", parts_.features, states, "rows");
        if (!parts_.initial.empty()) check_length("initial", parts_.initial, states, "numbers");
        if (!parts_.states.empty()) check_length("states", parts_.states, states, "names");
        for (size_t s = 0; s < states; ++s) {
            check_length(fmt::format("transition row {}", s + 1), parts_.transition[s], states, "numbers");
            check_length(fmt::format("features row {}", s + 1), parts_.features[s], features, "numbers");
        }
        return features;
    }

    Vec finite(const std::vector<double>& numbers, const std::string& field) const {
        for (size_t i = 0; i < numbers.size(); ++i)
            if (!std::isfinite(numbers[i]))
                refuse(fmt::format("{}, number {}", field, i + 1), fmt::format("{}", numbers[i]), "a finite number");
        return Vec::of(numbers);
    }

    Vec distribution(const std::vector<double>& numbers, const std::string& field) const {
        const Vec p = finite(numbers, field);
        for (size_t i = 0; i < numbers.size(); ++i)
            if (numbers[i] < 0.0)
                refuse(fmt::format("{}, number {}", field, i + 1), fmt::format("{}", numbers[i]),
                       "a probability, from 0 to 1");
        if (std::abs(p.sum() - 1.0) > kRowTolerance) refuse(field, fmt::format("{}", p.sum()), "a sum of 1");
        // A row that sums to 1 up to rounding keeps its bits, so that a written world is read as it was.
        constexpr double kRounding = 1e-14;
        return std::abs(p.sum() - 1.0) <= kRounding ? p : Vec(p / p.sum());
    }

    const WorldParts& parts_;
    const std::string& source_;
};

// The path itself if that file exists, otherwise the file of that name in assets/worlds.
fs::path world_path(const std::string& name) {
    std::error_code ignored;
    if (fs::exists(name, ignored)) return name;
    if (name.find('/') == std::string::npos) {
        const fs::path shipped = assets_folder() / "worlds" / (name + ".toml");
        if (fs::exists(shipped, ignored)) return shipped;
    }
    throw InputError("world_file: '{}' is not a file. Write the path of a TOML or CSV file, or a name in assets/worlds",
                     shown_text(name));
}

// Settings of experiment "td" that change only these entries.
SettingsFile shown_with(const fs::path& path, std::string title, std::vector<SettingsFile::Entry> entries) {
    SettingsFile file;
    file.source = path.string();
    file.experiment = "td";
    file.title = std::move(title);
    file.keeps_others = true;
    file.entries = std::move(entries);
    return file;
}

std::vector<fs::path> world_files_in(const fs::path& folder) {
    std::vector<fs::path> files = files_in(folder);
    std::erase_if(files,
                  [](const fs::path& file) { return file.extension() != ".toml" && file.extension() != ".csv"; });
    return files;
}

}  // namespace

WorldFile parse_world_toml(std::string_view text, const std::string& source) {
    const toml::table table = parse_toml(text, source);
    const WorldReader reader(table, source);
    WorldParts parts;
    parts.gamma = reader.gamma();
    parts.states = reader.names("states");
    parts.initial = reader.numbers("initial");
    parts.transition = reader.rows("transition");
    parts.reward = reader.numbers("reward");
    parts.features = reader.rows("features");
    for (const char* needed : {"transition", "reward", "features"})
        if (table.get(needed) == nullptr) throw InputError("{}: '{}' is missing", source, needed);
    WorldFile world = WorldMaker(parts, source).make();
    world.title = shown_text(reader.text("title"));
    return world;
}

WorldFile parse_world_csv(std::string_view text, const std::string& source) {
    const NumericTable table = parse_csv(text, source);
    check_world_header(table);
    WorldParts parts;
    parts.reward = table.column("reward");
    if (contains(table.header, "initial")) parts.initial = table.column("initial");
    for (size_t row = 0; row < table.rows(); ++row) {
        parts.features.push_back(numbered_row(table, "phi", row));
        parts.transition.push_back(numbered_row(table, "p", row));
    }
    return WorldMaker(parts, source).make();
}

WorldFile read_world(const std::string& name) {
    const fs::path path = world_path(name);
    const std::string text = read_text(path);
    WorldFile world =
        path.extension() == ".csv" ? parse_world_csv(text, path.string()) : parse_world_toml(text, path.string());
    if (world.title.empty()) world.title = shown_text(path.filename().string());
    return world;
}

bool is_world_file(const fs::path& path) {
    if (path.extension() == ".csv") return true;
    if (path.extension() != ".toml") return false;
    try {
        const toml::table table = read_toml(path);
        return table.contains("transition") && !table.contains("experiment");
    } catch (const std::runtime_error&) {
        return false;
    }
}

SettingsFile world_settings(const fs::path& path) {
    const WorldFile world = read_world(path.string());
    return shown_with(path, world.title,
                      {{"d", static_cast<int64_t>(world.mrp.d())},
                       {"look_inside", std::string("world")},
                       {"world_file", fs::absolute(path).string()},
                       {"world_edits", std::string()},
                       {"world_state", int64_t{1}}});
}

// ---- folders of worlds

Worlds read_worlds(const InContextTdConfig& config, bool held_out) {
    if (config.worlds.empty())
        throw InputError("worlds: task = files needs a folder with worlds. Name one, or choose another task");
    const fs::path folder = held_out ? fs::path(config.worlds) / kHeldOutWorlds : fs::path(config.worlds);
    const std::vector<fs::path> files = world_files_in(folder);
    if (files.empty())
        throw InputError("worlds: {} holds no TOML or CSV file with a world. Put {} there", folder.string(),
                         held_out ? "those for evaluation" : "those to train on");
    if (files.size() > kMostWorlds)
        throw InputError("worlds: {} holds {} files, more than {}. Remove some", folder.string(), files.size(),
                         kMostWorlds);
    uintmax_t bytes = 0;
    std::error_code ignored;
    for (const fs::path& file : files) bytes += fs::file_size(file, ignored);
    if (bytes > kMostWorldsBytes)
        throw InputError("worlds: the files in {} have {} bytes in total, more than {}. Remove some", folder.string(),
                         bytes, kMostWorldsBytes);
    auto worlds = std::make_shared<std::vector<Mrp>>();
    for (const fs::path& file : files) {
        WorldFile world = read_world(file.string());
        if (world.mrp.d() != config.tasks.d)
            throw InputError("{}: has {} features per state, but d = {}. Set d to {}, or remove the file",
                             file.string(), world.mrp.d(), config.tasks.d, world.mrp.d());
        if (world.gamma && *world.gamma != config.tasks.gamma)
            throw InputError("{}: has gamma = {}, but the run has {}. Set gamma to {}, or remove the line",
                             file.string(), *world.gamma, config.tasks.gamma, *world.gamma);
        worlds->push_back(std::move(world.mrp));
    }
    return worlds;
}

bool is_world_folder(const fs::path& path) {
    const std::vector<fs::path> files = world_files_in(path);
    return !files.empty() && is_world_file(files.front()) && !world_files_in(path / kHeldOutWorlds).empty();
}

SettingsFile world_folder_settings(const fs::path& path) {
    const WorldFile first = read_world(world_files_in(path).front().string());
    SettingsFile file = shown_with(path, (path.has_filename() ? path : path.parent_path()).filename().string(),
                                   {{"task", std::string("files")},
                                    {"d", static_cast<int64_t>(first.mrp.d())},
                                    {"worlds", fs::absolute(path).string()}});
    if (first.gamma) file.entries.push_back({"gamma", *first.gamma});
    return file;
}

}  // namespace emergence
