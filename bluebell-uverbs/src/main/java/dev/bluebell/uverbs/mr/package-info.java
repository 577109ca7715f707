/** Memory regions, in memory of the program and of the device. */
@NullMarked
package dev.bluebell.uverbs.mr;

import org.jspecify.annotations.NullMarked;
