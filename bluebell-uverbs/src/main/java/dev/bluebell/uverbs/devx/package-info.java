/** DevX: commands that clients send as they are, and the objects that come of them. */
@NullMarked
package dev.bluebell.uverbs.devx;

import org.jspecify.annotations.NullMarked;
