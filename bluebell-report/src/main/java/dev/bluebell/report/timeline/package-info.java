/** The flight record, arranged by request, with the failures in it. */
@NullMarked
package dev.bluebell.report.timeline;

import org.jspecify.annotations.NullMarked;
