// Seeds that count their steps: what they log, and how they are loaded.
#include <doctest/doctest.h>

#include <memory>
#include <span>
#include <vector>

#include "core/base/error.h"
#include "core/experiments/logged_seed.h"
#include "core/experiments/stacked.h"

using namespace emergence;

namespace {

struct Sum {
    double value = 0;
    void say(emergence::Row& row) const { row("sum", "sum", "", value); }
};

// Collects 1, 2, 3, .. and logs their mean every second step.
class MeanSeed final : public SampledSeed<Sum> {
  public:
    MeanSeed() : SampledSeed(7, 0, 2) {}
    void state(Archive& archive) override {
        archive.rows("samples", samples_, 1);
        if (archive.loads()) resume_at(static_cast<int64_t>(samples_.size()));
    }

  protected:
    void take_step() override { samples_.push_back({static_cast<double>(++step_)}); }
    Sum measure() override {
        double sum = 0;
        for (const auto& sample : samples_) sum += sample[0];
        return {sum / static_cast<double>(samples_.size())};
    }

  private:
    std::vector<std::vector<double>> samples_;
};

// Doubles a number, at most five times.
class DoublingSeed final : public RetracedSeed<Sum> {
  public:
    DoublingSeed() : RetracedSeed(7, 0, 5, "rows", 0) {}

  protected:
    void take_step() override {
        value_ *= 2;
        ++step_;
    }
    void restart() override { value_ = 1; }
    Sum measure() override { return {value_}; }

  private:
    double value_ = 1;
};

// Its rule holds at the logged steps that have a 1 in `holds`; every second step is logged.
class ComeAndGoSeed final : public CountedSeed<Sum> {
  public:
    ComeAndGoSeed(std::string holds, int64_t lasting)
        : CountedSeed(7, 0, 2), holds_at_(std::move(holds)), lasting_(lasting) {}
    void state(Archive& archive) override {
        progress(archive);
        judged(archive);
    }

  protected:
    int64_t lasting_steps() const override { return lasting_; }
    void take_step() override { ++step_; }
    Sum measure() override {
        judge(holds_at_[static_cast<size_t>(step_ / 2)] == '1');
        return {};
    }

  private:
    std::string holds_at_;
    int64_t lasting_;
};

std::vector<MetricRow> rows_to(Experiment& seed, int64_t step) {
    std::vector<MetricRow> rows;
    seed.advance(step, rows);
    return rows;
}

}  // namespace

TEST_CASE("a sampled seed logs nothing at step 0, and resumes behind its samples") {
    MeanSeed whole, resumed;
    CHECK(rows_to(whole, 3) == std::vector<MetricRow>{{0, 2, {1.5}}});
    resumed.load(whole.save());
    CHECK(resumed.step() == 3);
    CHECK(rows_to(resumed, 5) == std::vector<MetricRow>{{0, 4, {2.5}}});
    CHECK_FALSE(resumed.status().failed);
}

TEST_CASE("a retraced seed is saved as the number of its rows, and goes no further than its last step") {
    DoublingSeed seed, resumed;
    resumed.load(seed.save());  // before the first row
    CHECK(rows_to(resumed, 0) == std::vector<MetricRow>{{0, 0, {1.0}}});
    CHECK(rows_to(seed, 3).size() == 4);
    const ArrayMap saved = seed.save();
    CHECK(saved == ArrayMap{{"rows", {{}, std::vector<int64_t>{4}}}});
    resumed.load(saved);
    CHECK(rows_to(resumed, 9) == std::vector<MetricRow>{{0, 4, {16.0}}, {0, 5, {32.0}}});
    CHECK_THROWS_WITH_AS(resumed.load({{"rows", {{}, std::vector<int64_t>{8}}}}),
                         "training state: array 'rows' is not one whole number from 0 to 6", InputError);
    CHECK(resumed.step() == 5);
}

TEST_CASE("a seed has emerged once its rule has lasted, since that began, and keeps when, resumed or not") {
    struct Expected {
        bool emerged;
        int64_t at;
    };
    const std::string holds = "0110111101111";
    const Expected kAtOnce[] = {{false, -1}, {true, 2},  {true, 2},  {false, 2}, {true, 8},  {true, 8}, {true, 8},
                                {true, 8},   {false, 8}, {true, 18}, {true, 18}, {true, 18}, {true, 18}};
    const Expected kOfThree[] = {{false, -1}, {false, -1}, {false, -1}, {false, -1}, {false, -1},
                                 {false, -1}, {true, 8},   {true, 8},   {false, 8},  {false, 8},
                                 {false, 8},  {true, 18},  {true, 18}};
    for (const int64_t lasting : {1, 3}) {
        auto seed = std::make_unique<ComeAndGoSeed>(holds, lasting);
        for (int64_t row = 0; row < 13; ++row) {
            INFO(lasting, ", ", row);
            rows_to(*seed, 2 * row);
            const Expected& expected = lasting == 1 ? kAtOnce[row] : kOfThree[row];
            CHECK(seed->status().emerged == expected.emerged);
            CHECK(seed->status().emerged_at == expected.at);
            auto resumed = std::make_unique<ComeAndGoSeed>(holds, lasting);
            resumed->load(seed->save());
            CHECK(resumed->save() == seed->save());
            seed = std::move(resumed);
        }
    }
}

TEST_CASE("a state of version 0.2.0 had emerged when the rule began to hold; what has not lasted is forgotten") {
    ComeAndGoSeed seed("0111", 3), resumed("0111", 3);
    rows_to(seed, 4);
    ArrayMap older = seed.save();
    REQUIRE(older.erase("held") == 1);
    older["log"] = {{3}, std::vector<int64_t>{4, 2, 1}};
    resumed.load(older);
    CHECK(resumed.status().emerged_at == -1);
    rows_to(resumed, 6);
    CHECK((resumed.status().emerged && resumed.status().emerged_at == 2));
}

TEST_CASE("what seeds hold is stacked with a leading size for seeds") {
    const std::vector<std::vector<float>> weights = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};
    const Array part = stacked(weights, {1, 2}, [](const auto& flat) { return std::span(flat).subspan(2, 2); });
    CHECK(part.shape == std::vector<size_t>{3, 1, 2});
    CHECK(std::get<std::vector<float>>(part.values) == std::vector<float>{3, 4, 7, 8, 11, 12});

    Table first(2, 1), second(2, 1);
    first.values = {1, 2};
    second.values = {3, 4};
    const Array tables = stacked({first, second});
    CHECK(tables.shape == std::vector<size_t>{2, 2, 1});
    CHECK(std::get<std::vector<double>>(tables.values) == std::vector<double>{1, 2, 3, 4});

    const Array lengths = one_a_seed<int64_t>(weights, [](const auto& flat) { return flat.size(); });
    CHECK(lengths.shape == std::vector<size_t>{3});
    CHECK(std::get<std::vector<int64_t>>(lengths.values) == std::vector<int64_t>{4, 4, 4});
}
