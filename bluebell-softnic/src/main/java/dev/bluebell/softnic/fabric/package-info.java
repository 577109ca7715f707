/** Fabrics, which carry requests and responses between queue pairs. */
@NullMarked
package dev.bluebell.softnic.fabric;

import org.jspecify.annotations.NullMarked;
