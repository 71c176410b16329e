// identify: constructed weights and runs, in words and as JSON.
#include <doctest/doctest.h>

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

#include "core/files/array_files.h"
#include "core/models/constructions.h"
#include "tests/app/cli/told.h"
#include "tests/support/places.h"
#include "tests/support/scratch.h"

TEST_SUITE_BEGIN("release");

namespace emergence::cli {
namespace {

using testing::Scratch;

constexpr int kBuiltFeatures = 4;
constexpr double kBuiltSteps[] = {0.5, 0.9, 1.6};

Array stacked(const std::vector<Mat>& layers) {
    const auto rows = static_cast<size_t>(layers.front().rows());
    std::vector<double> values;
    for (const Mat& layer : layers)
        for (const double entry : Mat(layer.transpose())) values.push_back(entry);
    return {{layers.size(), rows, rows}, values};
}

std::string file_of(const Scratch& scratch, ConstructedLayer (*construction)(const Mat&)) {
    std::vector<Mat> P, Q;
    for (const double alpha : kBuiltSteps) {
        const ConstructedLayer layer = construction(alpha * Mat::Identity(kBuiltFeatures, kBuiltFeatures));
        P.push_back(layer.P);
        Q.push_back(layer.Q);
    }
    const std::string file = (scratch / "W.npz").string();
    write_npz(file, {{"P", stacked(P)}, {"Q", stacked(Q)}});
    return file;
}

nlohmann::json network_in(const Told& told) {
    REQUIRE(told.code == kDone);
    return nlohmann::json::parse(told.out).at("networks").at(0);
}

}  // namespace

TEST_CASE("identify: weights that are built for an algorithm, as JSON and in words") {
    const Scratch scratch;
    const std::string file = file_of(scratch, td_construction);
    const nlohmann::json td = network_in(tell({"identify", file, "--json"}));
    CHECK(td.at("verdict") == "td");
    CHECK(td.at("beta").get<double>() == doctest::Approx(1).epsilon(1e-5));
    CHECK(td.at("c").get<double>() == doctest::Approx(0).epsilon(1e-5));
    CHECK(td.at("beta_low").get<double>() < 1);
    CHECK(td.at("beta_high").get<double>() > 1);
    for (size_t l = 0; l < 3; ++l)
        CHECK(td.at("alphas").at(l).get<double>() == doctest::Approx(kBuiltSteps[l]).epsilon(1e-4));
    CHECK(td.at("converged") == true);
    CHECK(td.at("d") == 4);
    CHECK(td.at("ties").empty());
    CHECK(tell({"identify", file}).out.find("seed 0: computes TD; ") == 0);
    CHECK(testing::holds(tell({"identify", file}).out, "\non prompts with d = 4, n = 30; layers: 3\n"));
    CHECK(testing::holds(tell({"identify", file}).out, "; 0 % unexplained\n"));  // only rounding
    const nlohmann::json other =
        network_in(tell({"identify", file_of(scratch, residual_gradient_construction), "--json"}));
    CHECK(other.at("verdict") == "residual_gradient");
    CHECK(other.at("c").get<double>() == doctest::Approx(1).epsilon(1e-5));
}

TEST_CASE("identify: under a mask of traces the second coordinate is the mask's lambda") {
    const Scratch scratch;
    const std::string file = file_of(scratch, td_construction);
    const std::vector<std::string> mask = {"--set", "mask=td_lambda", "mask_lambda=0.8"};
    std::vector<std::string> words = with_words({"identify", file, "--json"}, mask);
    const nlohmann::json traced = network_in(tell(words));
    CHECK(traced.at("verdict") == "td_lambda");
    CHECK(traced.at("lambda").get<double>() == doctest::Approx(0.8).epsilon(1e-4));
    CHECK(traced.at("beta").get<double>() == doctest::Approx(1).epsilon(1e-4));
    CHECK_FALSE(traced.contains("c"));
    CHECK(traced.at("converged") == true);
    CHECK(traced.at("median_unexplained").get<double>() < 1e-6);
    words.erase(words.begin() + 2);
    CHECK(testing::holds(tell(words).out, ": computes TD(\u03bb); "));
}

TEST_CASE("identify: every network of a run, and the same with any number of threads") {
    const Scratch scratch;
    const std::string run = (scratch / "run").string();
    REQUIRE(tell({"run", "td", "--seeds", "2", "--set", "num_mrps=20", "bank_size=100", "--out", run}).code == kDone);
    const Told one = tell({"identify", run, "--json", "--threads", "1"});
    REQUIRE(one.code == kDone);
    CHECK(nlohmann::json::parse(one.out).at("networks").size() == 2);
    CHECK(tell({"identify", run, "--json", "--threads", "2"}).out == one.out);
    CHECK(testing::holds(tell({"identify", run}).out, "of 2: "));
    CHECK(testing::holds(tell({"identify", run, "--set", "gamma=0.5"}).err, "is a run, which already has settings"));
}

TEST_CASE("identify: weights of a run have its settings and its seeds' numbers") {
    const Scratch scratch;
    const std::string run = (scratch / "run").string(), weights = (scratch / "run/weights.npz").string();
    REQUIRE(tell({"run", "td", "--seeds", "2", "--set", "num_mrps=20", "bank_size=100", "num_layers=1", "seed=5",
                  "gamma=0.5", "n=20", "--out", run})
                .code == kDone);
    CHECK(tell({"identify", weights}).out == tell({"identify", run}).out);
    CHECK(tell({"identify", weights}).out.find("seed 5: ") == 0);
    CHECK(testing::holds(tell({"identify", weights, "--set", "weights=x.npz"}).err, "Leave it out"));
    const std::string other = (scratch / "other").string();
    REQUIRE(tell({"run", "softmax-td", "--seeds", "1", "--set", "num_updates=0", "--out", other}).code == kDone);
    CHECK(testing::holds(tell({"identify", other + "/weights.npz"}).err, "holds weights of softmax-td"));
}

TEST_CASE("identify: of the published code's file the last logged network") {
    const std::string file = testing::data_file("wang_code_run/data.npz").string();
    const Told told = tell({"identify", file, "--json"});
    REQUIRE(told.code == kDone);
    CHECK(nlohmann::json::parse(told.out).at("networks").size() == 1);
    CHECK(testing::holds(told.err, "its one layer is applied 3 times"));
    CHECK(tell({"identify", file, "--set", "num_layers=3"}).err.empty());
}

TEST_CASE("identify: what cannot be read is named") {
    const Scratch scratch;
    using Shape = std::vector<size_t>;
    const auto zeros = [](const Shape& shape) {
        return Array{shape,
                     std::vector<double>(std::accumulate(shape.begin(), shape.end(), size_t{1}, std::multiplies<>()))};
    };
    const std::string file = (scratch / "W.npz").string();
    for (const auto& [p, q, why] :
         {std::tuple(Shape{1, 8, 8}, Shape{1, 8, 8}, "P has 8 rows"),
          std::tuple(Shape{9, 9}, Shape{9, 9}, "instead of layers x D x D"),
          std::tuple(Shape{1, 9, 8}, Shape{1, 9, 9}, "instead of layers x D x D"),
          std::tuple(Shape{13, 9, 9}, Shape{13, 9, 9}, "W.npz: P has shape 13 x 9 x 9: num_layers: '13'")}) {
        write_npz(file, {{"P", zeros(p)}, {"Q", zeros(q)}});
        CHECK(testing::holds(tell({"identify", file}).err, why));
    }
    CHECK(tell({"run", "td", "--weights", file_of(scratch, td_construction), "--set", "num_mrps=0"})
              .err.find("use --set num_layers=3 sequential=true") != std::string::npos);
    const Scratch empty;
    CHECK(testing::holds(tell({"identify", (empty / "").string()}).err, "holds no readable run"));
    CHECK(tell({"identify", (scratch / "nothing.npz").string()}).code == kBadInput);
    CHECK(testing::holds(tell({"identify", file_of(scratch, td_construction), "--set", "activation=tanh"}).err,
                         "linear networks"));
}

}  // namespace emergence::cli

TEST_SUITE_END();
