#include "core/experiments/in_context_td/construction/own_construction.h"

#include <doctest/doctest.h>

#include "core/base/error.h"
#include "core/experiments/registry.h"
#include "core/files/array_files.h"
#include "tests/support/scratch.h"
#include "tests/support/small_runs.h"

namespace emergence::own_construction_test {
namespace {

using testing::message_of;
using testing::RunOf;
using testing::Scratch;

// P with -2 in its last corner, Q with 3 on two diagonals: Theorem 1's with the other sign, d = 2.
ArrayMap two_features() {
    std::vector<double> P(25), Q(25);
    P[24] = -2.0;
    for (size_t i = 0; i < 2; ++i) {
        Q[i * 5 + i] = 3.0;
        Q[i * 5 + 2 + i] = -3.0;
    }
    return {{"P", {{5, 5}, P}}, {"Q", {{5, 5}, Q}}};
}

Settings with_construction(const std::filesystem::path& file) {
    Settings settings =
        testing::settings_with("td", {{"seeds", "2"}, {"d", "2"}, {"bank_size", "32"}, {"num_mrps", "20"}});
    settings.set("construction", file.string());
    return settings;
}

}  // namespace

TEST_CASE("a construction of one's own stands for theory: target, rule of emergence, family") {
    const Scratch scratch;
    write_npz(scratch / "own.npz", two_features());
    Settings settings = with_construction(scratch / "own.npz");
    settings.set("weights", (scratch / "own.npz").string());
    settings.set("learning_rate", 0.0);
    settings.set("line_up", true);
    find_experiment("td").check(settings);
    RunOf run("td", settings);
    const MetricHistory history = run.history_to(20);
    const Snapshot snapshot = run.snapshot();
    CHECK(snapshot.emergence_rule.find("construction") != std::string::npos);
    CHECK(snapshot.formulas.empty());
    REQUIRE(snapshot.matrices[0].target);
    CHECK(snapshot.matrices[0].target_name == "own construction own.npz");
    CHECK((*snapshot.matrices[0].target)(4, 4) == 1.0);
    CHECK((*snapshot.matrices[1].target)(0, 0) == -1.0);
    CHECK((*snapshot.matrices[1].target)(0, 2) == 1.0);
    // The network is the construction: it has emerged, and the family explains all of it.
    CHECK(snapshot.seeds[0].emerged);
    CHECK(history.column("unexplained_construction", 0).back() < 1e-6);
    // Saved and loaded, the fits are the same.
    RunOf again("td", settings);
    again.load(run.save());
    CHECK(again.save() == run.save());
}

TEST_CASE("constructions that do not fit are refused with file and array") {
    const Scratch scratch;
    write_npz(scratch / "own.npz", two_features());
    const auto refusal = [](const Settings& settings) {
        return message_of<InputError>([&] { find_experiment("td").check(settings); });
    };
    Settings settings = with_construction(scratch / "own.npz");
    settings.set("d", int64_t{3});
    CHECK(refusal(settings).find("construction: " + (scratch / "own.npz").string() + ": array 'P' is 5 x 5") == 0);
    settings = with_construction(scratch / "none.npz");
    CHECK(refusal(settings).find("none.npz") != std::string::npos);
    settings = with_construction(scratch / "own.npz");
    settings.set("activation", std::string("softmax"));
    CHECK(refusal(settings).find("linear attention") != std::string::npos);
    ArrayMap zero = two_features();
    zero["Q"].values = std::vector<double>(25);
    write_npz(scratch / "zero.npz", zero);
    CHECK(refusal(with_construction(scratch / "zero.npz")).find("a matrix is zero") != std::string::npos);
}

}  // namespace emergence::own_construction_test
