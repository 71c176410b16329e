#include "tests/app/gui/pictures/picture_bench.h"

#include <array>
#include <memory>
#include <utility>

#include "app/gui/options.h"
#include "core/base/error.h"
#include "core/experiments/registry.h"
#include "core/lab/trainer/trainer.h"

namespace emergence::testing {
namespace {

constexpr float kWidth = 1280.0F;
constexpr float kHeight = 720.0F;
// ImGui needs two frames to lay out, a legend moves once, columns follow the width of their texts.
constexpr int kFramesToSettle = 8;

// These experiments take seconds to minutes to their first logged moment. The reductions change how exact the
// numbers are; of the pictures they change only the values that the settings panel shows of these fields.
struct Reduction {
    const char* experiment;
    const char* field;
    int64_t most;
};
constexpr std::array<Reduction, 4> kReductions = {{{"bandit-train", "bank_size", 8},
                                                   {"bandit-train", "batch", 1},
                                                   {"bandit-train", "log_interval", 2},
                                                   {"regression", "num_prompts", 20000}}};

// A picture that the program took has a moment of its own: it is drawn as it is.
Settings reduced(const FirstRun& first) {
    Settings settings = first.settings;
    if (first.step) return settings;
    for (const Reduction& reduction : kReductions)
        if (first.experiment->name == reduction.experiment && settings.integer(reduction.field) > reduction.most)
            settings.set(reduction.field, reduction.most);
    return settings;
}

// The trainer's loop without its thread and with a clock that stands still.
class StillTrainer : public TrainerLink {
  public:
    StillTrainer(const Restart& first, int threads) : loop_(options_with(threads), outbox_, [] { return 0.0; }) {
        loop_.obey({first});
    }

    void send(Command command) override {
        loop_.obey({std::move(command)});
        while (loop_.turn() == 0.0) {
        }
    }
    Published poll() override { return outbox_.take(); }
    std::vector<std::string> take_notices() override { return outbox_.take_notices(); }

  private:
    static Trainer::Options options_with(int threads) {
        Trainer::Options options;
        options.threads = threads;
        options.find_experiment = find_experiment;
        return options;
    }

    Outbox outbox_;
    TrainingLoop loop_;
};

Options options_of(const std::string& preset) {
    Options options;
    options.preset = preset;
    return options;
}

}  // namespace

PictureBench::PictureBench(const Options& options, int threads)
    : gui_({kWidth, kHeight}, Theme::dark, &textures_), workbench_(jobs_, with_options({}, options)) {
    const FirstRun first = first_run(options, {}, find_experiment);
    const ExperimentInfo& info = *first.experiment;
    const Settings settings = reduced(first);
    auto link = std::make_unique<StillTrainer>(Restart{info.name, settings, false, {}}, threads);
    StillTrainer& trainer = *link;
    Session::Options how;
    how.running = false;
    // The program can always compare two runs, and has a button for it.
    how.open_other = [](const Restart& start, int others) { return std::make_unique<StillTrainer>(start, others); };
    session_ = std::make_unique<Session>(info, settings, std::move(link), jobs_, std::move(how));
    session_->update();
    check(session_->study() != nullptr, "a preset starts a run");
    trainer.send(StepOnce{first.step.value_or(session_->study()->log_interval())});
    // The status line names the threads.
    trainer.send(SetThreads{1});
    session_->update();
    workbench_.door().show_next_as(first.view);
    if (first.file) workbench_.was_opened_from(*first.file, *session_, first.preset);
}

PictureBench::PictureBench(const std::string& preset, int threads) : PictureBench(options_of(preset), threads) {}

void PictureBench::frames(int count) {
    for (int i = 0; i < count; ++i) {
        session_->update();
        gui_.adopt(workbench_.look());
        gui_.frame([this] { workbench_.draw(gui_.ui(), *session_); });
    }
}

PixelImage PictureBench::picture(Theme theme) {
    if (workbench_.look().theme != theme) workbench_.act(Action::toggle_theme, *session_);
    frames(kFramesToSettle);
    return rasterise(*ImGui::GetDrawData(), gui_.ui().colors.panel);
}

void PictureBench::lay_out(ImVec2 size, bool presenting) {
    ImGui::GetIO().DisplaySize = size;
    if (workbench_.look().presenting != presenting) workbench_.act(Action::present, *session_);
    frames(kFramesToSettle);
}

}  // namespace emergence::testing
