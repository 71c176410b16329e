#include "core/experiments/in_context_td/pictures/td_pictures.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/experiments/registry.h"
#include "core/experiments/stacked.h"
#include "core/files/array_files.h"
#include "core/measures/network_evaluator.h"
#include "core/models/constructions.h"
#include "tests/support/scratch.h"
#include "tests/support/small_runs.h"

namespace emergence::td_surgery_test {
namespace {

using namespace emergence::testing;

NetworkShape shape_of(int layers, int stored = 1, int d = 4) {
    NetworkShape shape;
    shape.d = d;
    shape.layers = layers;
    shape.stored = stored;
    return shape;
}

// The constructed network's weights, shared by all layers.
std::vector<float> constructed_td_weights(double alpha, int layers, int d = 4) {
    const Mat C = alpha * Mat::Identity(d, d);
    const ConstructedLayer layer = layers == 1 ? single_layer_td_construction(C) : td_construction(C);
    std::vector<float> flat = floats_of(layer.P);
    for (const float entry : floats_of(layer.Q)) flat.push_back(entry);
    return flat;
}

std::vector<float> random_network(const NetworkShape& shape) {
    Stream stream(5, Purpose::held_out, 0, 0);
    std::vector<float> weights(shape.num_weights());
    for (float& w : weights) w = static_cast<float>(stream.normal());
    return weights;
}

std::vector<float> after(const std::string& text, const NetworkShape& shape, const std::vector<float>& weights) {
    return operate(shape, weights, parse_operations(text, shape.stored));
}

double mean_error(const NetworkEvaluator& evaluator, const std::vector<float>& weights) {
    const std::vector<double> errors = evaluator.errors(0, weights);
    return std::accumulate(errors.begin(), errors.end(), 0.0) / static_cast<double>(errors.size());
}

Settings small_surgery() { return testing::settings_of("td", "seeds=2, bank_size=32, num_mrps=40"); }

}  // namespace

TEST_CASE("snapping the whole of constructed weights changes nothing, to the bit") {
    for (const int layers : {1, 3})
        for (const int d : {1, 3, 4})
            for (const double alpha : {1.0, 0.3, 1.47}) {
                const std::vector<float> weights = constructed_td_weights(alpha, layers, d);
                CHECK(after("snap", shape_of(layers, 1, d), weights) == weights);
                CHECK(after("snap Q[phi,next]; snap P[R,R]", shape_of(layers, 1, d), weights) == weights);
            }
    // Both signs flipped are the same network, and stay so.
    std::vector<float> flipped = constructed_td_weights(0.7, 3);
    for (float& w : flipped) w = -w;
    CHECK(after("snap", shape_of(3), flipped) == flipped);
}

TEST_CASE("to snap is to project: whole matrices on one multiple, blocks on their own") {
    const NetworkShape shape = shape_of(3);
    const std::vector<float> weights = random_network(shape);
    const auto q = [](const std::vector<float>& flat, int i, int j) {
        return flat[static_cast<size_t>(81 + i * 9 + j)];
    };
    const std::vector<float> whole = after("snap Q", shape, weights);
    double traces = 0, left = 0;
    for (int i = 0; i < 4; ++i) {
        traces += static_cast<double>(q(weights, i, 4 + i)) - static_cast<double>(q(weights, i, i));
        left += static_cast<double>(q(weights, i, i));
    }
    CHECK(q(whole, 0, 0) == doctest::Approx(-traces / 8));
    CHECK(q(whole, 2, 6) == doctest::Approx(traces / 8));
    CHECK(q(whole, 0, 1) == 0.0F);
    CHECK(q(whole, 8, 8) == 0.0F);
    for (size_t i = 0; i < 81; ++i) CHECK(whole[i] == weights[i]);  // P is as it was
    const std::vector<float> block = after("snap Q[phi,phi]", shape, weights);
    CHECK(q(block, 1, 1) == doctest::Approx(left / 4));
    CHECK(q(block, 0, 4) == q(weights, 0, 4));
    CHECK(after("snap; snap", shape, weights) == after("snap", shape, weights));
}

TEST_CASE("zero and scale touch their block of their layer, and nothing else") {
    const NetworkShape shape = shape_of(2, 2, 1);
    const std::vector<float> weights = random_network(shape);  // P0, P1, Q0, Q1 of 3 x 3
    std::vector<float> expected = weights;
    expected[18 + 9 + 0 * 3 + 1] = 0;
    CHECK(after("zero Q1[phi,next]", shape, weights) == expected);
    expected = weights;
    for (const size_t i : {size_t{8}, size_t{17}}) expected[i] *= 0.5F;
    CHECK(after("scale P[R,R] 0.5", shape, weights) == expected);
    expected = weights;
    for (size_t i = 9; i < 18; ++i) expected[i] *= -2.0F;
    CHECK(after("  scale  P1   -2 ;", shape, weights) == expected);
    CHECK(after("scale 0", shape, weights) == std::vector<float>(36, 0.0F));
}

TEST_CASE("nothing done leaves three curves that agree where the step size is best") {
    InContextTdConfig config;
    config.surgery = "scale 1";
    const auto bench = make_surgery_bench(config);
    REQUIRE(bench);
    const std::vector<float> weights = constructed_td_weights(1.3, 3);
    const std::vector<float> best = with_step(weights, refitted_step(*bench->fitted, 0, weights));
    CHECK(refitted_step(*bench->fitted, 0, best) == doctest::Approx(1.0).epsilon(2e-3));
    config.surgery = "";
    CHECK(make_surgery_bench(config) == nullptr);
}

TEST_CASE("the refit finds the known optimum: one layer's error is a parabola in the step size") {
    InContextTdConfig config;
    config.surgery = "snap";
    config.num_layers = 1;
    const auto bench = make_surgery_bench(config);
    const std::vector<float> weights = constructed_td_weights(0.9, 1);
    const double at_0 = mean_error(*bench->fitted, with_step(weights, 0)),
                 at_1 = mean_error(*bench->fitted, with_step(weights, 1)),
                 at_2 = mean_error(*bench->fitted, with_step(weights, 2));
    const double vertex = (4 * at_1 - at_2 - 3 * at_0) / (2 * (2 * at_1 - at_2 - at_0));
    REQUIRE(vertex > 0.1);
    CHECK(refitted_step(*bench->fitted, 0, weights) == doctest::Approx(vertex).epsilon(2e-3));
    // However large the steps were before: the same network comes out.
    const double again = refitted_step(*bench->fitted, 0, with_step(weights, 2.5));
    CHECK(again * 2.5 == doctest::Approx(vertex).epsilon(2e-3));
}

TEST_CASE("blocks have the names of the pictures too") {
    const NetworkShape shape = shape_of(2);
    const std::vector<float> weights = random_network(shape);
    CHECK(after("zero P[\u03c6,R]; snap Q[\u03b3\u03c6', \u03c6]", shape, weights) ==
          after("zero P[phi,R]; snap Q[next, phi]", shape, weights));
}

TEST_CASE("what is no operation is refused with what is allowed") {
    for (const char* text :
         {"snip", "snap R", "snap P[phi]", "snap P[phi,nxt]", "scale", "scale P", "scale P x", "scale P nan",
          "scale P 1e9", "zero P0.5", "zero P-1", "snap Q[phi,next", "zero P[phi,R] 3", "scale 2 P"}) {
        CAPTURE(text);
        CHECK(message_of<InputError>([&] { parse_operations(text, 1); }).find("surgery: '") == 0);
    }
    CHECK(message_of<InputError>([] { parse_operations("zero Q1", 1); }) ==
          "surgery: layer 1 in 'zero Q1' is not from 0 to 0");
    CHECK(message_of<InputError>([] { parse_operations(std::string(1000, 'x'), 1); }).size() < 300);
    std::string many;
    for (int i = 0; i < 65; ++i) many += "snap;";
    CHECK_THROWS_WITH_AS(parse_operations(many, 1), doctest::Contains("surgery: there are more than 64 operations"),
                         InputError);
    CHECK(parse_operations("", 1).empty());
    CHECK(parse_operations(" ; ", 1).size() == 0);
    Settings settings = small_surgery();
    settings.set("surgery", std::string("zero Q7"));
    CHECK_THROWS_WITH_AS(find_experiment("td").check(settings),
                         doctest::Contains("surgery: layer 7 in 'zero Q7' is not from 0 to 0"), InputError);
}

TEST_CASE("an error that is not finite stays a point of every curve, batch TD's too") {
    const testing::Scratch scratch;
    const auto layer = td_construction(Mat::Identity(4, 4));
    write_npz(scratch / "w.npz", {{"P", {{1, 9, 9}, floats_of(layer.P)}},
                                  {"Q", {{1, 9, 9}, floats_of(layer.Q)}},
                                  {"alpha", {{1}, std::vector<double>{1e30}}}});
    Settings settings = small_surgery();
    settings.set("num_mrps", int64_t{0});
    settings.set("weights", (scratch / "w.npz").string());
    settings.set("surgery", std::string("scale P 100"));
    RunOf run("td", settings);
    run.advance_to(0);
    const Snapshot snapshot = run.snapshot();
    REQUIRE(snapshot.plots[0].id == "surgery");
    for (const Series& series : snapshot.plots[0].series)
        for (const auto& row : series.rows)
            for (const double value : row) CHECK_MESSAGE(std::isfinite(value), series.name);
}

}  // namespace emergence::td_surgery_test
