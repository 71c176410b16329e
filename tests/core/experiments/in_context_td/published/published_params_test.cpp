#include "core/experiments/in_context_td/published/published_params.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/base/error.h"
#include "tests/support/places.h"
#include "tests/support/scratch.h"

namespace emergence::published_params_test {
namespace {

using testing::data_file;
using testing::message_of;
using testing::slurp;

std::string params_refusal(const std::string& text) {
    return message_of<InputError>([&] { parse_published_params(text, "params.json"); });
}

// The least that is needed, with another key.
std::string params_with(const std::string& more) { return "{\"d\": 4, \"s\": 10, \"n\": 30, \"l\": 3, " + more + "}"; }

}  // namespace

TEST_CASE("the published code's settings are read, and written so that they read back") {
    const PublishedParams params = parse_published_params(slurp(data_file("wang_code_run/params.json")), "params.json");
    CHECK(params.d == 4);
    CHECK(params.l == 3);
    CHECK(params.n_mrps == 400);
    CHECK(params.random_seed == 3);
    CHECK(params.weight_decay == 1e-6);
    CHECK(params.mode == "auto");
    CHECK(params.stored_layers() == 1);
    CHECK(parse_published_params(published_params_text(params), "again") == params);
    // The same keys in the same order: whoever reads the file by eye finds them.
    std::string squeezed;
    for (const char c : slurp(data_file("wang_code_run/params.json")))
        if (c != ' ' && c != '\n') squeezed += c;
    CHECK(published_params_text(params) == squeezed);

    PublishedParams other;
    other.mode = "sequential";
    other.activation = "softmax";
    other.sample_weight = true;
    other.gamma = 0.1 + 0.2;
    CHECK(other.stored_layers() == 3);
    CHECK(parse_published_params(published_params_text(other), "again") == other);
}

TEST_CASE("keys that are missing have that code's defaults, others are passed over") {
    const PublishedParams params = parse_published_params(params_with("\"use_mamba\": [false, {\"a\": null}]"), "p");
    CHECK(params == PublishedParams{});
    CHECK(params_refusal("{\"d\": 4, \"s\": 10, \"n\": 30}") == "params.json: the key 'l' is missing");
}

TEST_CASE("values of another type are named") {
    CHECK(params_refusal(params_with("\"gamma\": \"0.9\"")) == "params.json: gamma: \"0.9\" is not a number");
    CHECK(params_refusal(params_with("\"n_mrps\": 4e3")) ==
          "params.json: n_mrps: 4000.0 is not a whole number of at most 64 bits");
    CHECK(params_refusal(params_with("\"n_mrps\": 9223372036854775808")).find("at most 64 bits") != std::string::npos);
    CHECK(params_refusal(params_with("\"sample_weight\": 1")).find("is not true or false") != std::string::npos);
    CHECK(params_refusal(params_with("\"activation\": null")).find("null is not a text") != std::string::npos);
    CHECK(params_refusal(params_with("\"mode\": \"both\"")).find("\"auto\" or \"sequential\"") != std::string::npos);
    CHECK(params_refusal(params_with("\"linear\": false")).find("linear: false is not true for") != std::string::npos);
    // Whatever stands there, the message is one short line of ASCII.
    const std::string odd = params_refusal(params_with("\"lr\": \"\\u0007\\n" + std::string(1000, 'x') + "\xC3\xA9\""));
    CHECK(odd.size() < 120);
    CHECK(odd.find('\n') == std::string::npos);
}

TEST_CASE("what is no such file is refused, however it is made") {
    CHECK(params_refusal("").find("is no JSON: wrong at byte") != std::string::npos);
    CHECK(params_refusal("{\"d\": 4").find("is no JSON: wrong at byte") != std::string::npos);
    CHECK(params_refusal("[1, 2]").find("no JSON object") != std::string::npos);
    CHECK(params_refusal("{\"d\": NaN}").find("is no JSON") != std::string::npos);
    CHECK(params_refusal(params_with("\"lr\": 1e999")).find("a number that is too large") != std::string::npos);
    CHECK(params_refusal("{\"d\": \"\xFF\xFE\"}").find("is not UTF-8") != std::string::npos);
    CHECK(params_refusal(std::string("{\"d\"\0: 4}", 9)).find("holds a NUL byte") != std::string::npos);
    CHECK(params_refusal(std::string(30'000, '[')).find("nested deeper than 32 levels") != std::string::npos);
    CHECK(params_refusal(params_with("\"a\": " + std::string(40, '[') + std::string(40, ']'))).find("nested deeper") !=
          std::string::npos);
    CHECK(params_refusal(std::string(70'000, ' ')).find("has 70000 bytes, more than the limit of 65536") !=
          std::string::npos);
    const std::string sound = published_params_text({});
    for (size_t size = 0; size < sound.size(); ++size)
        CHECK_THROWS_WITH_AS(parse_published_params(sound.substr(0, size), "cut"), doctest::Contains("cut:"),
                             InputError);
}

}  // namespace emergence::published_params_test
