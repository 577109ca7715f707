/** Queue pairs: how they are created, which transitions they make, and with which commands. */
@NullMarked
package dev.bluebell.uverbs.qp;

import org.jspecify.annotations.NullMarked;
