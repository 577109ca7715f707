/** Memory regions, windows and indirect regions, and the memory of a device. */
@NullMarked
package dev.bluebell.verbs.memory;

import org.jspecify.annotations.NullMarked;
