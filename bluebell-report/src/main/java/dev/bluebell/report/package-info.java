/** What devices recorded, as a page that needs nothing else. */
@NullMarked
package dev.bluebell.report;

import org.jspecify.annotations.NullMarked;
