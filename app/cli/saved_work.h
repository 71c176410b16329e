#pragma once
// What of a command's work is saved, and its end when it was asked to stop and something takes too long.

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace emergence::cli {

/// What of a command's work is saved by now, and the command that goes on from it. Several threads.
class SavedWork {
  public:
    /// `what`: "step 1200 of 4000 MRPs"; "" as long as there is nothing.
    void set(const std::string& what, std::vector<std::string> go_on);
    /// Something was just written.
    void sign();
    /// ". Step 1200 of 4000 MRPs is saved. Go on with: emergence-cli resume out/x"; "" as long as there is nothing.
    std::string text() const;
    std::chrono::steady_clock::time_point last_sign() const;

  private:
    mutable std::mutex mutex_;
    std::string what_;
    std::vector<std::string> go_on_;
    std::chrono::steady_clock::time_point last_sign_ = std::chrono::steady_clock::now();
};

/// While it lives, a command that was asked to stop and for kPatience has neither ended nor written anything is ended: a
/// step, a job or a picture may take minutes. All files are whole or absent at any moment.
class LateEnd {
  public:
    static constexpr std::chrono::milliseconds kPatience{5000};

    /// `end` gets the sentence about what is saved, and does not return.
    LateEnd(const SavedWork& saved, std::function<bool()> stopped, std::function<void(const std::string&)> end);
    ~LateEnd();
    LateEnd(const LateEnd&) = delete;
    LateEnd& operator=(const LateEnd&) = delete;

  private:
    void watch();

    const SavedWork& saved_;
    std::function<bool()> stopped_;
    std::function<void(const std::string&)> end_;
    std::mutex mutex_;
    std::condition_variable ended_;
    bool over_ = false;
    std::thread watcher_;
};

}  // namespace emergence::cli
