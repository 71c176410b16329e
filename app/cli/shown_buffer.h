#pragma once
// What the command line prints holds names and texts from files: no control character of theirs reaches the terminal.

#include <mutex>
#include <ostream>
#include <streambuf>
#include <string>

namespace emergence::cli {

/// What the other side can show.
struct Shows {
    bool utf8 = true;
    /// Of a terminal, which longer lines are broken for, at blanks; 0: lines stay as they are.
    int columns = 0;
};

/// The buffer of a stream that writes lines to another one as shown_lines() shows them.
class ShownBuffer final : public std::streambuf {
  public:
    /// `progress`: a carriage return and "erase the rest of the line" pass when they are written alone, as Progress does.
    ShownBuffer(std::ostream& to, bool progress, Shows shows = {}) : to_(to), progress_(progress), shows_(shows) {}
    ~ShownBuffer() override { sync(); }
    ShownBuffer(const ShownBuffer&) = delete;
    ShownBuffer& operator=(const ShownBuffer&) = delete;

  private:
    int_type overflow(int_type character) override;
    std::streamsize xsputn(const char* text, std::streamsize size) override;
    int sync() override;
    void pass(size_t size);

    std::ostream& to_;
    bool progress_;
    Shows shows_;
    std::mutex mutex_;
    /// The line that has not ended.
    std::string pending_;
};

}  // namespace emergence::cli
