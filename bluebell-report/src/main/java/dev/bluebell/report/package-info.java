/** Reports of what devices recorded, each a self-contained HTML page. */
@NullMarked
package dev.bluebell.report;

import org.jspecify.annotations.NullMarked;
