/** What queue pairs say to each other in a capture. */
@NullMarked
package dev.bluebell.roce.conversation;

import org.jspecify.annotations.NullMarked;
