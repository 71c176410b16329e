#include "core/experiments/in_context_td/settings/published_run.h"

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/files/atomic_write.h"
#include "core/files/folders.h"
#include "core/files/text.h"

namespace emergence {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char *kData = "data.npz", *kParams = "params.json";
constexpr size_t kLongestParams = size_t{1} << 16;

// The keys of params.json and the settings that mean the same. n_mrps is left out, because nothing is trained.
constexpr std::pair<const char*, const char*> kKeys[] = {{"d", "d"},
                                                         {"s", "num_states"},
                                                         {"n", "n"},
                                                         {"l", "num_layers"},
                                                         {"gamma", "gamma"},
                                                         {"activation", "activation"},
                                                         {"sample_weight", "representable"},
                                                         {"mini_batch_size", "minibatch_size"},
                                                         {"n_batch_per_mrp", "minibatches_per_mrp"},
                                                         {"lr", "learning_rate"},
                                                         {"weight_decay", "weight_decay"},
                                                         {"log_interval", "log_interval"},
                                                         {"random_seed", "seed"}};

Json parse_object(std::string_view text, const std::string& source) {
    const std::string plain = plain_text(text, source, kLongestParams);
    check_nesting(plain, source);
    try {
        Json object = Json::parse(plain);
        if (!object.is_object()) throw InputError("{}: is not a JSON object such as {{\"d\": 4, ...}}", source);
        return object;
    } catch (const Json::parse_error& error) {
        throw InputError("{}is not JSON: byte {} is wrong. Correct the line, or use the original file",
                         place_in(plain, error.byte, source), error.byte);
    } catch (const Json::exception& error) {
        throw InputError("{}: holds a number that is too large", source);
    }
}

[[noreturn]] void refuse(const char* key, const Json& value, const char* allowed, const std::string& source) {
    // Print any value on one readable line.
    std::string found = value.dump(-1, ' ', true, Json::error_handler_t::replace);
    if (found.size() > 40) found.replace(40, std::string::npos, "...");
    throw InputError("{}: {}: {} is not {}", source, key, found, allowed);
}

FieldValue value_of(const char* key, const Json& value, const std::string& source) {
    const bool fits = !value.is_number_unsigned() ||
                      value.get<uint64_t>() <= static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
    if (value.is_number_integer() && fits) return value.get<int64_t>();
    if (value.is_number_float()) return value.get<double>();
    if (value.is_boolean()) return value.get<bool>();
    if (value.is_string()) return value.get<std::string>();
    refuse(key, value, "a number of at most 64 bits, true, false or a text", source);
}

}  // namespace

fs::path published_run_folder(const fs::path& path) {
    const bool is_file = path.filename() == kData || path.filename() == kParams;
    const fs::path folder = is_file ? path.parent_path() : path;
    for (const char* name : {kData, kParams})
        if (kind_of_file(folder / name) != fs::file_type::regular) return {};
    return folder;
}

std::vector<SettingsFile::Entry> parse_published_params(std::string_view text, const std::string& source) {
    const Json object = parse_object(text, source);
    for (const char* key : {"d", "s", "n", "l"})
        if (!object.contains(key)) throw InputError("{}: the key '{}' is missing", source, key);
    std::vector<SettingsFile::Entry> entries;
    for (const auto& [key, field] : kKeys)
        if (object.contains(key)) entries.push_back({field, value_of(key, object.at(key), source)});
    if (const auto mode = object.find("mode"); mode != object.end()) {
        if (*mode != "auto" && *mode != "sequential") refuse("mode", *mode, "\"auto\" or \"sequential\"", source);
        entries.push_back({"sequential", *mode == "sequential"});
    }
    if (const auto tasks = object.find("mrp_class"); tasks != object.end())
        entries.push_back({"task", *tasks == "cartpole" ? "cart_pole" : value_of("mrp_class", *tasks, source)});
    return entries;
}

SettingsFile published_settings(const fs::path& path) {
    const fs::path folder = published_run_folder(path);
    if (folder.empty())
        throw InputError("{}: is not a run of the published code. Name a folder with {} and {}", path.string(), kData,
                         kParams);
    SettingsFile file;
    file.source = (folder / kParams).string();
    file.experiment = "td";
    file.title = "A run of the published code";
    file.entries = parse_published_params(as_text(read_file(folder / kParams, kMostTomlBytes)), file.source);
    file.entries.insert(file.entries.end(), {{"weights", fs::absolute(folder / kData).lexically_normal().string()},
                                             {"seeds", int64_t{1}},
                                             {"num_mrps", int64_t{0}}});
    return file;
}

}  // namespace emergence
