# `cpack`: a package for Debian 12, its dependencies by name. Elsewhere an archive.
find_program(EMERGENCE_SHLIBDEPS dpkg-shlibdeps)
if(EMERGENCE_SHLIBDEPS)
  set(CPACK_GENERATOR DEB)
else()
  set(CPACK_GENERATOR TGZ)
endif()
set(CPACK_PACKAGE_NAME emergence)
set(CPACK_PACKAGE_CONTACT "The maintainers of Emergence")
set(CPACK_PACKAGE_VENDOR Emergence)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "laboratory in which transformers discover reinforcement learning")
set(CPACK_PACKAGE_DESCRIPTION
"Trains small transformers in the background and draws, while they learn, what
their weights become, how close they are to the algorithm that theory names,
and how well the trained network learns in context.

Contains a window (emergence) and a command line (emergence-cli).")
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR})
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
# Linked libraries name themselves. Not linked: what GLFW opens when it starts, Mesa's drivers (without a GPU too), the font.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "")
if(EMERGENCE_BUILD_WINDOW)
  set(CPACK_DEBIAN_PACKAGE_DEPENDS 
    "libgl1, libgl1-mesa-dri, libxcursor1, libxi6, libxinerama1, libxrandr2, libxrender1, fonts-dejavu-core")
  set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "desktop-file-utils, shared-mime-info, hicolor-icon-theme")
endif()
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "bash-completion")
if(EMERGENCE_PYTHON)  # the module in the same package; the programs do without NumPy
  set(CPACK_DEBIAN_PACKAGE_PROVIDES python3-emergence)
  list(APPEND CPACK_DEBIAN_PACKAGE_RECOMMENDS python3-numpy)
  list(JOIN CPACK_DEBIAN_PACKAGE_RECOMMENDS ", " CPACK_DEBIAN_PACKAGE_RECOMMENDS)
endif()
set(CPACK_EMERGENCE_LANE_SETS ${EMERGENCE_LANE_SETS})
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/debian_paths.cmake)
include(CPack)
