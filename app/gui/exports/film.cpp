#include "app/gui/exports/film.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/gui/exports/file_desk.h"
#include "core/base/error.h"
#include "core/files/atomic_write.h"
#include "core/files/folders.h"

namespace emergence {
namespace {

constexpr size_t kMostFrames = 100;
constexpr int kHundredths = 1000;  // the whole run, as it is played at 1x
constexpr int kLastStands = 200;
constexpr int kSettled = 3;      // frames until a moment is laid out
constexpr int kMostWaiting = 4;  // the encoder is not left behind
constexpr int kMostSide = 1920;

// All, or so many evenly between the first and the last.
std::vector<int64_t> spread_steps(const std::vector<int64_t>& all) {
    if (all.size() <= kMostFrames) return all;
    std::vector<int64_t> steps;
    for (size_t i = 0; i < kMostFrames; ++i) steps.push_back(all[i * (all.size() - 1) / (kMostFrames - 1)]);
    return steps;
}

PixelImage part_of(const PixelImage& picture, const Box& box, ImVec2 window) {
    const float across = static_cast<float>(picture.width) / window.x;
    const float down = static_cast<float>(picture.height) / window.y;
    const auto inside = [](float at, int most) { return std::clamp(static_cast<int>(std::lround(at)), 0, most); };
    const int left = inside(box.min.x * across, picture.width), right = inside(box.max().x * across, picture.width);
    const int top = inside(box.min.y * down, picture.height), bottom = inside(box.max().y * down, picture.height);
    PixelImage part{right - left, bottom - top, {}};
    for (int y = top; y < bottom; ++y) {
        const auto row = picture.pixels.begin() + static_cast<std::ptrdiff_t>(y) * picture.width;
        part.pixels.insert(part.pixels.end(), row + left, row + right);
    }
    return part;
}

}  // namespace

void Film::begin(const Session& session, std::filesystem::path folder, std::string config) {
    std::vector<int64_t> steps;
    for (const auto& moment : session.moments().moments()) steps.push_back(moment->step);
    if (steps.size() < 2) throw InputError("There is no time to film yet. Let the run train, then film it");
    steps_ = spread_steps(steps);
    folder_ = std::move(folder);
    name_ = session.info().name + "-film";
    config_ = std::move(config);
    passed_ = at_ = 0;
    drawn_ = waiting_ = 0;
    wanted_ = false;
    before_ = session.time().step();
    film_ = std::make_shared<std::optional<GifMaker>>();
}

void Film::come_back() {
    steps_.clear();
    wanted_ = false;
    if (before_)
        asks_(ask::ShowStep{*before_});
    else
        asks_(Action::time_live);
}

void Film::stop() {
    if (!active()) return;
    film_.reset();
    come_back();
    asks_(ask::Say{"The film was stopped: nothing is written", ""});
}

void Film::turn(Session& session) {
    wanted_ = false;
    if (active() || holds_axes_) session.hold_axes(active());
    holds_axes_ = active();
    if (!active() || waiting_ >= kMostWaiting || !session.snapshot()) return;
    if (passed_ < steps_.size()) return asks_(ask::ShowStep{steps_[passed_++]});
    if (drawn_ == 0) asks_(ask::ShowStep{steps_[at_]});  // of a run that goes on the nearest moment may be shown
    wanted_ = ++drawn_ > kSettled;
}

void Film::take(const PixelImage& picture, const Box& stage, ImVec2 window) {
    if (!wanted_) return;
    const bool last = at_ + 1 == steps_.size();
    add(part_of(picture, stage, window),
        last ? kLastStands : std::clamp(kHundredths / static_cast<int>(steps_.size()), 4, 50));
    ++at_;
    drawn_ = 0;
    wanted_ = false;
    if (last) finish();
}

void Film::add(PixelImage frame, int hundredths) {
    ++waiting_;
    jobs_.post(
        Lane::screenshots,
        [film = film_, frame = std::move(frame), hundredths, config = config_](const Jobs::Task&) -> std::string {
            try {
                PixelImage small = shrunk(frame, kMostSide, kMostSide);
                if (!*film) film->emplace(small.width, small.height, config);
                (*film)->add(std::move(small), hundredths);
                return "";
            } catch (const std::exception& error) {
                return error.what();
            }
        },
        [this, film = film_](const std::string& trouble) {
            if (film != film_) return;  // of one that was stopped
            --waiting_;
            if (trouble.empty()) return;
            stop();
            asks_(ask::Report{trouble});
        });
}

void Film::finish() {
    jobs_.post(
        Lane::screenshots,
        [film = film_, folder = folder_, name = name_](const Jobs::Task&) {
            if (!*film) throw InputError("The film has no frame: its first one could not be made");
            make_folder(folder);
            std::filesystem::path file = new_dated_file(folder, name, ".gif");
            write_file(file, std::string_view((*film)->finished()));
            return file;
        },
        [this](const std::filesystem::path& file) {
            tell({{file}, {}, {}}, asks_);
        });
    come_back();
}

WithoutPointer::WithoutPointer(bool on) : on_(on), pointer_(ImGui::GetIO().MousePos) {
    if (!on) return;
    ImGui::GetIO().MousePos = {-FLT_MAX, -FLT_MAX};
    ImGui::GetCurrentContext()->HoveredWindow = nullptr;
}

WithoutPointer::~WithoutPointer() {
    if (on_) ImGui::GetIO().MousePos = pointer_;
}

}  // namespace emergence
