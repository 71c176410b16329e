#pragma once
// A thread that writes files while the window is drawn and training goes on.

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "app/gui/files/file_report.h"

namespace emergence {

class ExportWorker {
  public:
    /// Says how far it is; false: stop as soon as possible.
    using OnProgress = std::function<bool(const FileProgress&)>;
    /// What is done on the thread; it must own or share all that it reads.
    using Task = std::function<FileReport(const OnProgress&)>;

    /// `on_change` is called from the thread after each file and report.
    explicit ExportWorker(std::function<void()> on_change = {});
    /// Stops after the file that is being written.
    ~ExportWorker();
    ExportWorker(const ExportWorker&) = delete;
    ExportWorker& operator=(const ExportWorker&) = delete;

    /// Does `task` when those before it are done; `id` comes back with its report.
    void start(int id, Task task);
    /// The task that is being done stops as soon as it can.
    void cancel();
    /// What is being done; nothing where all is done.
    std::optional<FileProgress> progress() const;

    struct Done {
        int id = 0;
        FileReport report;
    };
    /// The reports that have not been taken, in their order.
    std::vector<Done> take_reports();

  private:
    struct Waiting {
        int id = 0;
        Task task;
    };
    void work();
    bool note(const FileProgress& progress);

    std::function<void()> on_change_;
    mutable std::mutex mutex_;
    std::condition_variable wake_;
    std::deque<Waiting> waiting_;
    std::optional<FileProgress> progress_;
    std::vector<Done> done_;
    bool stopping_ = false;
    bool cancelled_ = false;  // the present task
    std::thread thread_;      // started with the first task
};

}  // namespace emergence
