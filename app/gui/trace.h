#pragma once
// What the window does, as lines on standard output: a program that drives it waits for these instead of
// sleeping.

#include <map>
#include <string>

#include "app/gui/session/session.h"
#include "app/gui/shell/theme.h"
#include "app/gui/workbench.h"

namespace emergence {

/// Prints, whenever it has changed:
///   state NAME step N of TARGET run NUMBER pace P theme NAME help 0|1
///   set FIELD VALUE
///   frames PER_SECOND MILLISECONDS
///   widget X Y WIDTH HEIGHT NAME
class Trace {
  public:
    void print(const Session& session, const Workbench& workbench, const Timing& timing, const WidgetLog* log);

  private:
    void line(const std::string& key, const std::string& text);

    std::map<std::string, std::string> printed_;
};

}  // namespace emergence
