/** Files that clients read events from, and the calls that open them. */
@NullMarked
package dev.bluebell.uverbs.event;

import org.jspecify.annotations.NullMarked;
