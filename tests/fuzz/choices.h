#pragma once
// Decisions from bytes. A maker of files asks for each of its decisions, so that any bytes make a file that is nearly
// right: libFuzzer changes the bytes and sees which changes reach new code, a test draws them at random.

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>

namespace emergence::testing {

class Choices {
  public:
    explicit Choices(std::span<const std::byte> bytes) : bytes_(bytes) {}

    /// From 0 to `count` - 1; 0 once the bytes are used up, by which every loop over choices ends.
    size_t below(size_t count) {
        size_t value = 0;
        for (size_t most = count - 1; most > 0; most >>= 8) value = value << 8 | next();
        return value % count;
    }
    bool one_in(size_t count) { return below(count) == count - 1; }
    template <class T>
    T of(std::initializer_list<T> list) {
        return list.begin()[below(list.size())];
    }
    const char* word(std::initializer_list<const char*> list) { return of(list); }
    /// Numbers at which arithmetic goes wrong, and any others.
    uint64_t number() {
        const uint64_t power = uint64_t{1} << below(64);
        switch (below(6)) {
            case 0:
                return below(4);
            case 1:
                return power;
            case 2:
                return power - 1;
            case 3:
                return 0 - power;
            case 4:
                return 0 - below(4);
            default:
                return below(size_t{1} << 32) << 32 | below(size_t{1} << 32);
        }
    }
    /// `right`, or now and then another number.
    uint64_t bent(uint64_t right) {
        switch (below(64)) {
            case 63:
                return number();
            case 62:
                return right + 1;
            case 61:
                return right - 1;
            default:
                return right;
        }
    }
    std::string text(size_t most) {
        std::string text;
        for (size_t left = below(most + 1); left > 0; --left) text += static_cast<char>(next());
        return text;
    }

  private:
    size_t next() { return at_ < bytes_.size() ? std::to_integer<size_t>(bytes_[at_++]) : 0; }

    std::span<const std::byte> bytes_;
    size_t at_ = 0;
};

}  // namespace emergence::testing
