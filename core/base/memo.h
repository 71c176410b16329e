#pragma once
// What is costly to make, kept by what it depends on.

#include <list>
#include <memory>
#include <mutex>
#include <utility>

namespace emergence {

/// What was made of the two keys asked for last: one that stands, and one that is looked at. From any thread; nobody
/// waits while something is made.
template <class Key, class T>
class Memo {
  public:
    /// What `make()` makes of the key; what it made before if that is kept.
    template <class Make>
    std::shared_ptr<const T> get(const Key& key, const Make& make) {
        {
            const std::lock_guard lock(mutex_);
            for (auto known = known_.begin(); known != known_.end(); ++known)
                if (known->first == key) {
                    known_.splice(known_.begin(), known_, known);
                    return known->second;
                }
        }
        std::shared_ptr<const T> made = make();
        const std::lock_guard lock(mutex_);
        known_.emplace_front(key, made);
        if (known_.size() > 2) known_.pop_back();
        return made;
    }

  private:
    std::mutex mutex_;
    std::list<std::pair<Key, std::shared_ptr<const T>>> known_;
};

}  // namespace emergence
