/** UAR pages, which clients ring doorbells in. */
@NullMarked
package dev.bluebell.uverbs.uar;

import org.jspecify.annotations.NullMarked;
