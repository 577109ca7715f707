/** The conversations of queue pairs in a capture. */
@NullMarked
package dev.bluebell.roce.conversation;

import org.jspecify.annotations.NullMarked;
