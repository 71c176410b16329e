#include "core/experiments/in_context_td/settings/published_run.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "core/base/error.h"
#include "core/experiments/registry.h"
#include "tests/support/places.h"
#include "tests/support/scratch.h"

namespace emergence::published_run_test {
namespace {

namespace fs = std::filesystem;
using namespace testing;

std::string params_refusal(const std::string& text) {
    return message_of<InputError>([&] { parse_published_params(text, "params.json"); });
}

// The least that is needed, with another key.
std::string params_with(const std::string& more) { return "{\"d\": 4, \"s\": 10, \"n\": 30, \"l\": 3, " + more + "}"; }

std::string entry_of(const std::vector<SettingsFile::Entry>& entries, const std::string& name) {
    for (const SettingsFile::Entry& entry : entries)
        if (entry.name == name) return to_text(entry.value);
    return "";
}

}  // namespace

TEST_CASE("a run of the published code has its settings, begins with its weights and trains nothing") {
    const SettingsFile file = settings_that_made(data_file("wang_code_run"));
    CHECK(file.experiment == "td");
    CHECK(entry_of(file.entries, "num_layers") == "3");
    CHECK(entry_of(file.entries, "sequential") == "false");
    CHECK(entry_of(file.entries, "task") == "boyan");
    CHECK(entry_of(file.entries, "seed") == "3");
    CHECK(entry_of(file.entries, "seeds") == "1");
    CHECK(entry_of(file.entries, "num_mrps") == "0");
    CHECK(entry_of(file.entries, "weights") == data_file("wang_code_run/data.npz").string());
    Settings settings(find_experiment("td").fields);
    apply(file, settings);
    find_experiment("td").check(settings);
}

TEST_CASE("a run is named by its folder or by either file in it") {
    const fs::path folder = data_file("wang_code_run");
    for (const char* name : {"", "data.npz", "params.json"})
        CHECK(published_run_folder(folder / name) / "" == folder / "");
    const Scratch scratch;
    spit(scratch / "params.json", "{}");
    for (const fs::path& path : {scratch.path(), scratch / "params.json", scratch / "nowhere", fs::path()})
        CHECK(published_run_folder(path).empty());
    CHECK(holds(message_of<InputError>([&] { published_settings(scratch.path()); }),
                "is not a run of the published code. Name a folder with data.npz and params.json"));
}

TEST_CASE("keys of params.json may be missing but for four, others are passed over") {
    const auto entries = parse_published_params(params_with("\"use_mamba\": [false, {\"a\": null}]"), "p");
    CHECK(entries.size() == 4);
    CHECK(params_refusal("{\"d\": 4, \"s\": 10, \"n\": 30}") == "params.json: the key 'l' is missing");
    const auto other =
        parse_published_params(params_with("\"mode\": \"sequential\", \"mrp_class\": \"cartpole\""), "p");
    CHECK(entry_of(other, "sequential") == "true");
    CHECK(entry_of(other, "task") == "cart_pole");
}

TEST_CASE("values that no setting can have are named") {
    CHECK(holds(params_refusal(params_with("\"n_batch_per_mrp\": 9223372036854775808")), "at most 64 bits"));
    CHECK(holds(params_refusal(params_with("\"activation\": null")), "null is not a number"));
    CHECK(holds(params_refusal(params_with("\"mode\": \"both\"")), "\"auto\" or \"sequential\""));
    // Whatever stands there, the message is one short line of ASCII.
    const std::string odd =
        params_refusal(params_with("\"mode\": \"\\u0007\\n" + std::string(1000, 'x') + "\xC3\xA9\""));
    CHECK(odd.size() < 120);
    CHECK(odd.find('\n') == std::string::npos);
}

TEST_CASE("what is no such file is refused, however it is made") {
    CHECK(holds(params_refusal(""), "is not JSON: byte"));
    CHECK(holds(params_refusal("{\"d\": 4"), "is not JSON: byte"));
    CHECK(holds(params_refusal("[1, 2]"), "not a JSON object"));
    CHECK(holds(params_refusal("{\"d\": NaN}"), "is not JSON"));
    CHECK(holds(params_refusal(params_with("\"lr\": 1e999")), "a number that is too large"));
    CHECK(holds(params_refusal("{\"d\": \"\xFF\xFE\"}"), "is not UTF-8"));
    CHECK(holds(params_refusal(std::string("{\"d\"\0: 4}", 9)), "holds a NUL byte"));
    CHECK(holds(params_refusal(std::string(30'000, '[')), "nested deeper than 32 levels"));
    CHECK(holds(params_refusal(params_with("\"a\": " + std::string(40, '[') + std::string(40, ']'))), "nested deeper"));
    CHECK(holds(params_refusal(std::string(70'000, ' ')), "has 70000 bytes, more than the limit of 65536"));
}

}  // namespace emergence::published_run_test
