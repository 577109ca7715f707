/** UAR pages, on which clients ring doorbells. */
@NullMarked
package dev.bluebell.uverbs.uar;

import org.jspecify.annotations.NullMarked;
