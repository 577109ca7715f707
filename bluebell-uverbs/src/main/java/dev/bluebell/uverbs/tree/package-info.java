/**
 * The files that describe devices: real folders, files and symbolic links, laid out as the kernel's
 * sysfs has them for a ConnectX.
 */
@NullMarked
package dev.bluebell.uverbs.tree;

import org.jspecify.annotations.NullMarked;
