#include "app/gui/exports/file_desk.h"

#include <fmt/format.h>

#include <system_error>
#include <utility>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/files/array_files.h"
#include "core/files/atomic_write.h"
#include "core/files/folders.h"

namespace emergence {
namespace {

namespace fs = std::filesystem;

// "NAME-20260131-174502" and the ending, of the present time; with a number if the folder has such a file.
fs::path new_dated_file(const fs::path& folder, const std::string& name, const std::string& ending) {
    make_folder(folder);
    return free_path(folder / fmt::format("{}-{}", name, time_stamp()), ending);
}

}  // namespace

FileDesk::FileDesk(Jobs& jobs, Asks& asks, ExportPanel::Shown shown)
    : jobs_(jobs), asks_(asks), panel_(jobs, std::move(shown)) {}

fs::path FileDesk::write_weights(const Snapshot& shown) {
    ArrayMap weights;
    // A matrix after surgery replaces the learned one.
    const std::string operated = "operated ";
    for (const auto& [name, array] : shown.weights) {
        if (name.starts_with(operated)) continue;
        const auto found = shown.weights.find(operated + name);
        weights[name] = found == shown.weights.end() ? array : found->second;
    }
    const fs::path file = new_dated_file(folder(), "train-on-from", ".npz");
    write_npz(file, weights);
    return file;
}

fs::path FileDesk::folder() { return typed_folder(panel_.choices().folder); }

Job FileDesk::write_made(const std::string& stem, const std::string& ending,
                         std::function<Made(const Jobs::Task&)> make) {
    return jobs_.post(
        Lane::exports,
        [stem, ending, make = std::move(make), folder = folder()](const Jobs::Task& task) {
            FileReport report;
            make_folder(folder);  // a failure is told before the long work
            for (const auto& [word, bytes] : make(task)) {
                report.written.push_back(new_dated_file(folder, stem + "-" + word, ending));
                write_file(report.written.back(), std::string_view(bytes));
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

}  // namespace emergence
