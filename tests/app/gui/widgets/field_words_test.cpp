#include "app/gui/widgets/field_words.h"

#include <doctest/doctest.h>

#include <utility>

using namespace emergence;

namespace {

const FieldInfo kRate = {.name = "rate", .minimum = 1e-5, .maximum = 0.1, .logarithmic = true, .default_value = 0.001};
const FieldInfo kDiscount = {.name = "gamma", .minimum = 0.0, .maximum = 0.99, .default_value = 0.9};
const FieldInfo kDecay = {.name = "decay", .minimum = 0.0, .maximum = 0.1, .logarithmic = true, .default_value = 1e-6};
const FieldInfo kCount = {
    .name = "count", .minimum = 1, .maximum = 4096, .logarithmic = true, .default_value = int64_t{64}};

}  // namespace

TEST_CASE("the ends and the middle of a slider are where its scale has them") {
    for (const FieldInfo& info : {kRate, kDiscount, kDecay, kCount}) {
        CAPTURE(info.name);
        CHECK(value_at(info, 0.0, 100) == info.minimum);
        CHECK(value_at(info, 1.0, 100) == info.maximum);
        CHECK(value_at(info, -3.0, 100) == info.minimum);
        CHECK(share_of(info, info.minimum) == doctest::Approx(0.0));
        CHECK(share_of(info, info.maximum) == doctest::Approx(1.0));
    }
    CHECK(value_at(kRate, 0.5, 100) == 0.001);
    CHECK(share_of(kRate, 1e-4) == doctest::Approx(0.25));
    CHECK(value_at(kCount, 0.5, 100) == 64);
}

TEST_CASE("every pixel of a slider is another value, in few digits") {
    for (const FieldInfo& info : {kRate, kDiscount, kDecay}) {
        double last = -1.0;
        for (int i = 0; i <= 90; ++i) {
            const double value = value_at(info, i / 90.0, 90);
            CAPTURE(info.name);
            CHECK(value > last);
            CHECK(shown_value(value).size() <= 8);
            last = value;
        }
    }
}

TEST_CASE("place and value are inverse, as far as the digits go") {
    for (const FieldInfo& info : {kRate, kDiscount, kDecay})
        for (int i = 0; i <= 1000; ++i)
            CHECK(share_of(info, value_at(info, i / 1000.0, 1000)) ==
                  doctest::Approx(i / 1000.0).epsilon(0.002).scale(1.0));
}

TEST_CASE("a step is seen, and stays in the range") {
    CHECK(std::get<double>(stepped(kDiscount, 0.9, 1)) == doctest::Approx(0.91));
    CHECK(std::get<double>(stepped(kDiscount, 0.9, -1)) == doctest::Approx(0.89));
    CHECK(std::get<double>(stepped(kDiscount, 0.9, 100)) == 0.99);
    CHECK(std::get<int64_t>(stepped(kCount, int64_t{1}, 1)) == 2);
    CHECK(std::get<int64_t>(stepped(kCount, int64_t{4096}, 1)) == 4096);
    for (const FieldInfo& info : {kRate, kDecay}) {
        double value = info.minimum;
        for (const auto& [way, end] : {std::pair(1, info.maximum), std::pair(-1, info.minimum)}) {
            for (int i = 0; i < 200 && value != end; ++i) {
                const double next = std::get<double>(stepped(info, value, way));
                CHECK((next - value) * way > 0.0);
                value = next;
            }
            CHECK(value == end);
        }
    }
    const FieldInfo kind = {.name = "kind", .choices = {"a", "b", "c"}, .default_value = std::string("a")};
    CHECK(std::get<std::string>(stepped(kind, std::string("a"), -1)) == "b");
    CHECK(std::get<std::string>(stepped(kind, std::string("a"), 1)) == "a");
    CHECK(std::get<bool>(stepped({.name = "flag", .default_value = false}, false, 1)));
}

TEST_CASE("sentences about settings name them as the window does") {
    const FieldTable fields = {{.name = "num_layers", .label = "layers L"},
                               {.name = "n", .label = "context length n"},
                               {.name = "gamma", .label = "discount gamma"},
                               {.name = "pool", .label = "pool of tasks K"}};
    CHECK(with_labels("num_layers: 'n' is not a whole number from 1 to 40", fields) ==
          "layers L (num_layers): 'n' is not a whole number from 1 to 40");
    CHECK(with_labels("pool: 3 is above num_layers = 2", fields) == "pool of tasks K (pool): 3 is above layers L = 2");
    CHECK(with_labels("gamma: with n = 3", fields) == "discount γ (gamma): with context length n = 3");
    CHECK(with_labels("", fields).empty());
}

TEST_CASE("a setting's help calls its choices as its list does") {
    const FieldInfo field{.name = "loss",
                          .help = "td: one step. td_lambda, monte_carlo: more, not td-like.",
                          .choices = {"td", "td_lambda", "monte_carlo"},
                          .choice_labels = {{"td", "TD"}, {"td_lambda", "TD(λ)"}}};
    CHECK(help_in_words(field) == "TD: one step. TD(λ), monte carlo: more, not td-like.");
}
