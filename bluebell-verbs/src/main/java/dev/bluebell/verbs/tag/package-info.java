/** Tag matching, and the targets of its rendezvous. */
@NullMarked
package dev.bluebell.verbs.tag;

import org.jspecify.annotations.NullMarked;
