#pragma once
// The one place that includes Eigen: keep it out of headers that the window reads.

#include <Eigen/Dense>
