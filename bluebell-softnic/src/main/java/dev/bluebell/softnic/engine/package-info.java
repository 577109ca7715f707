/** Who runs the device, and when. */
@NullMarked
package dev.bluebell.softnic.engine;

import org.jspecify.annotations.NullMarked;
