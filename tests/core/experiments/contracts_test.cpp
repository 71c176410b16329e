// What holds of every experiment, by its place in the registry: the same bits, resumed as uninterrupted, and live
// fields. A new one needs a line in tests/support/small_runs.cpp; one that computes in several ways has several.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "core/base/error.h"
#include "core/lab/runs/run.h"
#include "core/settings/fields.h"
#include "tests/support/scratch.h"
#include "tests/support/small_runs.h"
#include "tests/support/snapshot_text.h"

namespace emergence::contracts_test {
namespace {

using namespace testing;

// A sanitizer looks at every experiment's memory and threads, on one way of each kind; Release compares the ways' bits.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kEveryWay = false;
#else
constexpr bool kEveryWay = true;
#endif

// Trains in parts of three steps, and looks at the run between them, which changes nothing.
std::vector<MetricRow> rows_in_parts(Run& run, int64_t target) {
    std::vector<MetricRow> rows = run.advance_to(0);
    while (run.step() < target) {
        run.snapshot();
        for (MetricRow& row : run.advance_to(std::min(run.step() + 3, target))) rows.push_back(std::move(row));
    }
    return rows;
}

// What a seed lacks to have emerged is known from the next logged row on: no state holds it.
Snapshot without_reasons(Snapshot snapshot) {
    for (SeedStatus& seed : snapshot.seeds) seed.lacks.clear();
    return snapshot;
}

// What another choice of a live field may be: every choice there is, and of a number two others in its range.
std::vector<FieldValue> other_values(const FieldInfo& field, const FieldValue& now) {
    if (const auto* flag = std::get_if<bool>(&now)) return {!*flag};
    if (const auto* number = std::get_if<double>(&now)) return {field.minimum, 0.5 * (*number + field.maximum)};
    static const std::map<std::string, std::string> texts = {
        {"world_file", "ring"}, {"world_edits", "r1=0.5"}, {"surgery", "zero P[phi,R]"}};
    std::vector<FieldValue> others;
    if (const auto text = texts.find(field.name); text != texts.end()) others.emplace_back(text->second);
    if (const auto* whole = std::get_if<int64_t>(&now)) {
        const auto least = static_cast<int64_t>(field.minimum), most = static_cast<int64_t>(field.maximum);
        for (const int64_t other : {least, std::min(*whole + 1, most)})
            if (other != *whole) others.emplace_back(other);
    }
    for (const std::string& choice : field.choices)
        if (FieldValue(choice) != now) others.emplace_back(choice);
    return others;
}

}  // namespace

TEST_CASE("a run has the same bits with any threads and however the way is cut, and resumed" *
          doctest::test_suite("threads")) {
    [[maybe_unused]] std::set<std::string> seen;
    for (const SmallRun& small : small_runs()) {
#ifdef __SANITIZE_THREAD__
        // What threads share is the experiment's, whatever its settings.
        if (!seen.insert(small.experiment).second) continue;
#endif
        INFO(small.experiment, ", ", testing::text_of(small));
        for (const int64_t middle : {small.steps * 2 / 5, int64_t{0}}) {
            if (!kEveryWay && middle == 0) break;
            CAPTURE(middle);
            RunOf whole(small, 1), resumed(small, 2);
            auto rows = whole.advance_to(middle), joined = rows;
            resumed.load(whole.save());
            CHECK(resumed.step() == middle);
            const Snapshot outline = whole.outline(), described = whole.snapshot();
            CHECK(difference_of(without_reasons(resumed.snapshot()), without_reasons(described)) == "");
            for (MetricRow& row : whole.advance_to(small.steps)) rows.push_back(std::move(row));
            CHECK(whole.step() == small.steps);
            CHECK(difference_of(whole.study().inspect(outline, {"evaluate", outline.settings}), described) == "");
            const auto check_same = [&](Run& other, const std::vector<MetricRow>& other_rows) {
                CHECK(difference_of(other_rows, rows) == "");
                CHECK(other.save() == whole.save());
                CHECK(difference_of(other.snapshot(), whole.snapshot()) == "");
            };
            for (MetricRow& row : resumed.advance_to(small.steps)) joined.push_back(std::move(row));
            check_same(resumed, joined);
            if (middle > 0) continue;
            RunOf cut(small, 2), fresh(small), again(small);
            check_same(cut, rows_in_parts(cut, small.steps));
            again.load(fresh.save());  // before the first row
            check_same(again, again.advance_to(small.steps));
        }
    }
}

TEST_CASE("a state that lacks an array, or has another in its place, is refused by the array's name") {
    for (const SmallRun& small : small_runs()) {
        CAPTURE(small.experiment);
        RunOf run(small);
        run.advance_to(small.steps / 2);
        const std::vector<ArrayMap> saved = run.save();
        for (const auto& [name, array] : saved.back()) {
            CAPTURE(name);
            const auto refusal = [&, &array_name = name](const Array* in_its_place) {
                std::vector<ArrayMap> bad = saved;
                bad.back().erase(array_name);
                if (in_its_place != nullptr) bad.back()[array_name] = *in_its_place;
                return message_of<InputError>([&] { run.load(bad); });
            };
            const std::string lacking = refusal(nullptr);
            const std::string last = name.substr(name.rfind('.') + 1);
            if (last.starts_with("computes"))  // which earlier versions did not save
                CHECK(lacking == "");
            else
                CHECK(lacking == "training state: array '" + name + "' is missing");
            const Array other{{1, 1, 1}, std::vector<uint64_t>{7}};
            CHECK(holds(refusal(&other), last + "' "));
        }
        run.load(saved);
        CHECK(run.save() == saved);
    }
}

TEST_CASE("a live field changes nothing of the training, and an inspection answers as the run that has it" *
          doctest::test_suite("release")) {
    std::set<std::string> live, seen;  // "td layer"; those that changed something
    for (const SmallRun& small : small_runs()) {
        INFO(small.experiment, ", ", testing::text_of(small));
        RunOf run(small), untouched(small);
        run.advance_to(small.steps / 2);
        const Settings settings = settings_of(small);
        const int64_t target = run.study().target_step();
        const Snapshot before = run.snapshot(), outline = run.outline();
        const auto ask = [&](const Snapshot& of, const Settings& at) {
            return run.study().inspect(of, {"evaluate", at});
        };
        for (const FieldInfo& field : *find_experiment(small.experiment).fields) {
            if (field.applies != Applies::live) continue;
            const std::string name = small.experiment + " " + field.name;
            live.insert(name);
            if (!why_idle(settings, field).empty()) continue;
            for (const FieldValue& other : other_values(field, settings.value(field.name))) {
                INFO(field.name, ", ", to_text(other));
                Settings changed = settings;
                changed.set(field.name, other);
                if (message_of<InputError>([&] { find_experiment(small.experiment).check(changed); }) != "") continue;
                run.set_live(changed);
                const Snapshot after = run.snapshot(), asked = ask(outline, changed);
                CHECK(after.settings == changed);
                CHECK(asked.settings == changed);
                CHECK(difference_of(asked, after) == "");
                CHECK(difference_of(ask(before, changed), after) == "");
                CHECK(difference_of(ask(after, settings), before) == "");
                if (run.study().target_step() != target || difference_of(after, before) != "") seen.insert(name);
            }
        }
        CHECK(message_of<InputError>([&] {
                  run.study().inspect(before, {"dance", settings});
              }) == "inspection 'dance': experiment " + small.experiment + " knows 'evaluate'");
        run.set_live(settings);
        run.advance_to(small.steps);
        untouched.advance_to(small.steps);
        CHECK(run.save() == untouched.save());
        CHECK(difference_of(run.snapshot(), untouched.snapshot()) == "");
    }
    for (const std::string& name : live)
        CHECK_MESSAGE(seen.contains(name), name << " changes nothing in any small run");
}

}  // namespace emergence::contracts_test
