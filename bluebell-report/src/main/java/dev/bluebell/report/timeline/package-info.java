/** A flight record, read: requests on their ways, and the failures among them. */
@NullMarked
package dev.bluebell.report.timeline;

import org.jspecify.annotations.NullMarked;
