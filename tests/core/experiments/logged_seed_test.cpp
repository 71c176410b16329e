// Seeds that count their steps: what they log, and how they are loaded.
#include "core/experiments/logged_seed.h"

#include <doctest/doctest.h>

#include "core/base/error.h"

using namespace emergence;

namespace {

struct Sum {
    double value = 0;
};
Metrics<Sum> sum_metrics() { return {{"sum", "sum", "", &Sum::value}}; }

// Collects 1, 2, 3, .. and logs their mean every second step.
class MeanSeed final : public SampledSeed<Sum> {
  public:
    MeanSeed() : SampledSeed(7, 0, 2, sum_metrics()) {}
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
    DoublingSeed() : RetracedSeed(7, 0, 5, sum_metrics(), "rows", 0) {}

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

// Emerged at the steps 2, 3, 6, 7, 10, 11, ...
class ComeAndGoSeed final : public CountedSeed<Sum> {
  public:
    ComeAndGoSeed() : CountedSeed(7, 0, 1, sum_metrics()) {}
    void state(Archive& archive) override { progress(archive, emerged_at_, emerged_); }

  protected:
    void take_step() override { ++step_; }
    Sum measure() override {
        judge(step_ % 4 >= 2);
        return {};
    }
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

TEST_CASE("a seed that lost what had emerged counts from when it emerged again, resumed or not") {
    ComeAndGoSeed seed;
    rows_to(seed, 1);
    CHECK(seed.status().emerged_at == -1);
    rows_to(seed, 3);
    CHECK((seed.status().emerged && seed.status().emerged_at == 2));
    rows_to(seed, 4);
    CHECK((!seed.status().emerged && seed.status().emerged_at == 2));
    ComeAndGoSeed resumed;
    resumed.load(seed.save());
    for (ComeAndGoSeed* one : {&seed, &resumed}) {
        rows_to(*one, 7);
        CHECK((one->status().emerged && one->status().emerged_at == 6));
    }
}
