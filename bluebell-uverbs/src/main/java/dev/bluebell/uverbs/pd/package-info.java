/** Protection domains and address handles. */
@NullMarked
package dev.bluebell.uverbs.pd;

import org.jspecify.annotations.NullMarked;
