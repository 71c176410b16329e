#include "app/gui/exports/file_desk.h"

#include <imgui_internal.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <system_error>
#include <utility>

#include "app/export/png.h"
#include "app/gui/session/view_values.h"
#include "core/base/error.h"
#include "core/base/local_time.h"
#include "core/files/array_files.h"
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

namespace fs = std::filesystem;

fs::path write_screenshot(const PixelImage& image, const std::string& config, const fs::path& folder) {
    make_folder(folder);
    fs::path path = screenshot_path(folder);
    write_file(path, std::string_view(png_of(image, "Emergence", config)));
    return path;
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

fs::path new_dated_file(const fs::path& folder, const std::string& name, const std::string& ending) {
    return free_path(folder / fmt::format("{}-{}", name, time_stamp()), ending);
}

FileDesk::FileDesk(Jobs& jobs, Asks& asks, ExportPanel::Shown shown)
    : jobs_(jobs), asks_(asks), panel_(jobs, std::move(shown)), film_(jobs, asks) {}

void FileDesk::save_screenshot(PixelImage image, const Session& session, const ViewValues& view) {
    fs::path folder;
    try {
        folder = typed_folder(panel_.choices().folder);
    } catch (const std::runtime_error&) {
        folder = default_export_folder();
    }
    jobs_.post(
        Lane::screenshots,
        [picture = std::move(image), folder, config = settings_in_screenshot(session, view)](const Jobs::Task&) {
            return write_screenshot(picture, config, folder);
        },
        [this](const fs::path& path) {
            tell({{path}, {}, {}}, asks_);
        });
}

fs::path FileDesk::write_weights(const Snapshot& shown) {
    ArrayMap weights;
    // What was operated on takes the place of what was learned.
    const std::string operated = "operated ";
    for (const auto& [name, array] : shown.weights) {
        if (name.starts_with(operated)) continue;
        const auto found = shown.weights.find(operated + name);
        weights[name] = found == shown.weights.end() ? array : found->second;
    }
    const fs::path folder = this->folder();
    make_folder(folder);
    const fs::path file = new_dated_file(folder, "train-on-from", ".npz");
    write_npz(file, weights);
    return file;
}

fs::path FileDesk::folder() { return typed_folder(panel_.choices().folder); }

void FileDesk::write_pages(const std::string& stem, std::function<Pages(const Jobs::Task&)> make) {
    jobs_.post(
        Lane::exports,
        [stem, make = std::move(make), folder = folder()](const Jobs::Task& task) {
            FileReport report;
            make_folder(folder);
            for (const auto& [word, page] : make(task)) {
                report.written.push_back(new_dated_file(folder, stem + "-" + word, ".html"));
                write_file(report.written.back(), std::string_view(page));
            }
            return report;
        },
        [this](const FileReport& report) { tell(report, asks_); });
}

void tell(const FileReport& report, Asks& asks) {
    const std::string sentence = sentence_of(report);
    if (!report.failures.empty()) {
        asks(ask::Report{sentence});  // an open panel says it too
    } else if (!report.written.empty()) {
        const fs::path& first = report.written.front();
        asks(ask::Say{sentence, report.written.size() == 1 ? first.string() : first.parent_path().string()});
    }
}

fs::path screenshot_path(const fs::path& folder) { return new_dated_file(folder, "emergence", ".png"); }

}  // namespace emergence
